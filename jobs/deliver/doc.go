// Package deliver takes finished documents to where they are wanted: a folder,
// a mailbox, a server. A kind of destination is one file and a line in Types.
//
// A delivery has a key, the same in every attempt of it. Where the target can
// tell, a second attempt finds what the first one left and sends nothing;
// where it cannot, an attempt that follows an interrupted one sends nothing
// either and says that it is not known whether the first arrived. All
// connections to the outside go through an egress.Guard.
package deliver
