//go:build linux

package storetest

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"syscall"
	"testing"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// Disk is a file system in memory whose power can be cut. Only what was synced
// is sure to outlast that: the bytes of a file when the file was, its name when
// its folder was. Of the rest each block may be there or not, and of the changes
// of a folder the first ones.
type Disk struct {
	mu     sync.Mutex
	off    bool
	random *rand.Rand
	top    *thing
	count  uint64
	server *fuse.Server
}

// thing is a file or a folder: as programs see it, and as it is on the disk.
type thing struct {
	number         uint64
	mode           uint32
	now, kept      []byte
	names, settled map[string]*thing // of a folder
	changes        []change          // from settled to names
}

// change gives a name to a thing, or takes it from one when that is nil; a
// renaming does both at once.
type change struct {
	name, from string
	to         *thing
}

func (c change) apply(names map[string]*thing) {
	delete(names, c.from)
	delete(names, c.name)
	if c.to != nil {
		names[c.name] = c.to
	}
}

// NewDisk is an empty one. What survives a cut is chosen by the seed.
func NewDisk(seed uint64) *Disk {
	d := &Disk{random: rand.New(rand.NewPCG(seed, seed))}
	d.top = d.thing(syscall.S_IFDIR | 0o755)
	return d
}

func (d *Disk) thing(mode uint32) *thing {
	d.count++
	t := &thing{number: d.count, mode: mode}
	if mode&syscall.S_IFMT == syscall.S_IFDIR {
		t.names, t.settled = map[string]*thing{}, map[string]*thing{}
	}
	return t
}

// Mount shows the disk in a folder. Programs of other processes may use it; this
// one must not, as it could wait for itself.
func (d *Disk) Mount(t testing.TB, folder string) {
	t.Helper()
	options := &fs.Options{MountOptions: fuse.MountOptions{DirectMount: true, FsName: "forgetful", Name: "forgetful", DisableXAttrs: true}}
	server, err := fs.Mount(folder, &node{disk: d, thing: d.top}, options)
	if err != nil {
		t.Skip("the system does not let this user mount a small disk of its own:", err)
	}
	d.mu.Lock()
	d.server, d.off = server, false
	d.mu.Unlock()
}

// Cut takes the power away: nothing is read or written any more.
func (d *Disk) Cut() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.off = true
}

// Off tells whether the power was cut.
func (d *Disk) Off() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.off
}

// Unmount ends what Mount began, once no program uses the folder. After a cut
// the disk then is as one finds it when the power is back.
func (d *Disk) Unmount(t testing.TB) {
	t.Helper()
	if err := d.server.Unmount(); err != nil {
		t.Fatal(err)
	}
	if d.off {
		d.forget(d.top)
	}
}

func (d *Disk) forget(t *thing) {
	if t.names == nil {
		t.kept = d.some(t)
		t.now = slices.Clone(t.kept)
		return
	}
	for _, c := range t.changes[:d.random.IntN(len(t.changes)+1)] {
		c.apply(t.settled)
	}
	t.names, t.changes = maps.Clone(t.settled), nil
	for _, below := range t.names {
		d.forget(below)
	}
}

// some is a file of which some blocks are new and some are as they were.
func (d *Disk) some(t *thing) []byte {
	const block = 4096
	size := len(t.kept)
	if d.random.IntN(2) == 0 {
		size = len(t.now)
	}
	mixed := make([]byte, size)
	copy(mixed, t.kept)
	for at := 0; at < min(size, len(t.now)); at += block {
		if d.random.IntN(2) == 0 {
			copy(mixed[at:], t.now[at:min(at+block, len(t.now))])
		}
	}
	return mixed
}

// node is a thing while it is mounted.
type node struct {
	fs.Inode
	disk  *Disk
	thing *thing
}

// on does something unless the power is off.
func (n *node) on(do func() syscall.Errno) syscall.Errno {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	if n.disk.off {
		return syscall.EIO
	}
	return do()
}

func (n *node) show(ctx context.Context, t *thing, out *fuse.EntryOut) *fs.Inode {
	t.attributes(&out.Attr)
	return n.NewInode(ctx, &node{disk: n.disk, thing: t}, fs.StableAttr{Mode: t.mode & syscall.S_IFMT, Ino: t.number})
}

func (t *thing) attributes(out *fuse.Attr) {
	out.Mode, out.Ino, out.Size, out.Nlink = t.mode, t.number, uint64(len(t.now)), 1
}

// put changes the names of a folder.
func (t *thing) put(c change) {
	c.apply(t.names)
	t.changes = append(t.changes, c)
}

func (n *node) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	return n.on(func() syscall.Errno {
		n.thing.attributes(&out.Attr)
		return 0
	})
}

func (n *node) Setattr(_ context.Context, _ fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	return n.on(func() syscall.Errno {
		if size, ok := in.GetSize(); ok {
			n.thing.resize(int(size))
		}
		if mode, ok := in.GetMode(); ok {
			n.thing.mode = n.thing.mode&syscall.S_IFMT | mode&0o7777
		}
		n.thing.attributes(&out.Attr)
		return 0
	})
}

func (t *thing) resize(size int) {
	if size <= len(t.now) {
		t.now = t.now[:size:size]
		return
	}
	t.now = append(t.now, make([]byte, size-len(t.now))...)
}

func (n *node) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (found *fs.Inode, errno syscall.Errno) {
	errno = n.on(func() syscall.Errno {
		t := n.thing.names[name]
		if t == nil {
			return syscall.ENOENT
		}
		found = n.show(ctx, t, out)
		return 0
	})
	return found, errno
}

func (n *node) Readdir(context.Context) (list fs.DirStream, errno syscall.Errno) {
	errno = n.on(func() syscall.Errno {
		var entries []fuse.DirEntry
		for _, name := range slices.Sorted(maps.Keys(n.thing.names)) {
			t := n.thing.names[name]
			entries = append(entries, fuse.DirEntry{Name: name, Mode: t.mode, Ino: t.number})
		}
		list = fs.NewListDirStream(entries)
		return 0
	})
	return list, errno
}

func (n *node) make(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (made *fs.Inode, errno syscall.Errno) {
	errno = n.on(func() syscall.Errno {
		if n.thing.names[name] != nil {
			return syscall.EEXIST
		}
		t := n.disk.thing(mode)
		n.thing.put(change{name: name, to: t})
		made = n.show(ctx, t, out)
		return 0
	})
	return made, errno
}

func (n *node) Mkdir(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	return n.make(ctx, name, syscall.S_IFDIR|mode, out)
}

func (n *node) Create(ctx context.Context, name string, _, mode uint32, out *fuse.EntryOut) (*fs.Inode, fs.FileHandle, uint32, syscall.Errno) {
	made, errno := n.make(ctx, name, syscall.S_IFREG|mode, out)
	return made, nil, 0, errno
}

func (n *node) Link(ctx context.Context, target fs.InodeEmbedder, name string, out *fuse.EntryOut) (made *fs.Inode, errno syscall.Errno) {
	errno = n.on(func() syscall.Errno {
		if n.thing.names[name] != nil {
			return syscall.EEXIST
		}
		to := target.(*node).thing
		n.thing.put(change{name: name, to: to})
		made = n.show(ctx, to, out)
		return 0
	})
	return made, errno
}

func (n *node) Unlink(_ context.Context, name string) syscall.Errno {
	return n.on(func() syscall.Errno {
		n.thing.put(change{name: name})
		return 0
	})
}

func (n *node) Rmdir(ctx context.Context, name string) syscall.Errno { return n.Unlink(ctx, name) }

func (n *node) Rename(_ context.Context, name string, into fs.InodeEmbedder, as string, _ uint32) syscall.Errno {
	return n.on(func() syscall.Errno {
		to := n.thing.names[name]
		if folder := into.(*node).thing; folder != n.thing {
			folder.put(change{name: as, to: to})
			n.thing.put(change{name: name})
			return 0
		}
		n.thing.put(change{name: as, from: name, to: to})
		return 0
	})
}

func (n *node) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	return nil, 0, n.on(func() syscall.Errno { return 0 })
}

func (n *node) Read(_ context.Context, _ fs.FileHandle, into []byte, at int64) (result fuse.ReadResult, errno syscall.Errno) {
	errno = n.on(func() syscall.Errno {
		from := n.thing.now[min(int(at), len(n.thing.now)):]
		result = fuse.ReadResultData(into[:copy(into, from)])
		return 0
	})
	return result, errno
}

func (n *node) Write(_ context.Context, _ fs.FileHandle, content []byte, at int64) (written uint32, errno syscall.Errno) {
	errno = n.on(func() syscall.Errno {
		if end := int(at) + len(content); end > len(n.thing.now) {
			n.thing.resize(end)
		}
		written = uint32(copy(n.thing.now[at:], content))
		return 0
	})
	return written, errno
}

// Fsync settles a file or a folder.
func (n *node) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	return n.on(func() syscall.Errno {
		n.thing.kept = slices.Clone(n.thing.now)
		if n.thing.names != nil {
			n.thing.settled, n.thing.changes = maps.Clone(n.thing.names), nil
		}
		return 0
	})
}
