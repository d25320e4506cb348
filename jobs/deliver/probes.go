package deliver

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/wneessen/go-mail"
	"golang.org/x/crypto/ssh"
)

// probeMail signs in, and sends nothing.
func probeMail(ctx context.Context, d *delivery, server *smtpServer) (string, error) {
	m := &message{}
	client, err := mail.NewClient(server.Host, m.options(ctx, d, server)...)
	if err != nil {
		return "", permanent("the mail server's settings cannot be used: %s", plain(err.Error()))
	}
	session, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return "", dialFailed(ctx, server, err)
	}
	defer func() { _ = session.Quit() }()
	if err := session.Noop(); err != nil {
		return "", temporary("the mail server %q did not answer: %s", server.Host, plain(err.Error()))
	}
	if server.Username == "" {
		return fmt.Sprintf("the mail server %s answers; it was not signed in to, as there is no user name", server.Host), nil
	}
	return fmt.Sprintf("the mail server %s answers and took the sign-in of %s", server.Host, server.Username), nil
}

// anyHostKey is a fingerprint that no key has: it asks the server for its own.
const anyHostKey = "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// probeSFTP signs in and looks at the folder. A server whose key is not known
// yet is only asked for it; no password goes there.
func probeSFTP(ctx context.Context, d *delivery, conn *sftpConnection) (string, error) {
	if conn.HostKey == anyHostKey {
		return "", d.showHostKey(ctx, conn)
	}
	life, end := context.WithCancel(ctx)
	defer end()
	client, err := d.dialSFTP(life, conn)
	if err != nil {
		return "", err
	}
	defer func() { end(); _ = client.Close() }()
	folder := conn.Folder
	if folder == "" {
		folder = "."
	}
	found, err := client.Stat(folder)
	if err != nil || !found.IsDir() {
		return fmt.Sprintf("the server %s took the sign-in; its folder %s does not exist yet and is made by the first delivery", conn.Host, plain(folder)), nil
	}
	return fmt.Sprintf("the server %s took the sign-in, and its folder can be read", conn.Host), nil
}

func (d *delivery) showHostKey(ctx context.Context, conn *sftpConnection) error {
	address := net.JoinHostPort(conn.Host, strconv.Itoa(conn.Port))
	socket, err := d.dial(ctx, ctx, address, d.env.idle())
	if err != nil {
		return unreachable(ctx, conn.Host, err)
	}
	defer func() { _ = socket.Close() }()
	var shown ssh.PublicKey
	_, _, _, err = ssh.NewClientConn(socket, address, &ssh.ClientConfig{User: conn.Username, HostKeyCallback: func(_ string, _ net.Addr, key ssh.PublicKey) error {
		shown = key
		return errHostKey
	}})
	if shown == nil {
		return unreachable(ctx, conn.Host, err)
	}
	return permanent("the server %q proves itself with the key %s %s; ask its operator whether that is right, and then enter the fingerprint, beginning with SHA256, as the key of the server", conn.Host, shown.Type(), ssh.FingerprintSHA256(shown))
}

// probeS3 lists one object of the bucket.
func probeS3(ctx context.Context, d *delivery, conn *s3Connection) (string, error) {
	files, done, err := openS3(ctx, d, conn, &s3Settings{})
	if err != nil {
		return "", err
	}
	defer done()
	there, err := files.bucket.IsAccessible(ctx)
	if err != nil {
		return "", files.failed(ctx, "looking at", "", err)
	}
	if !there {
		return "", permanent("the bucket %q does not exist, or the access key of the connection may not see it", conn.Bucket)
	}
	return fmt.Sprintf("the bucket %s can be reached", conn.Bucket), nil
}

// probeWebDAV asks for the properties of the folder.
func probeWebDAV(ctx context.Context, d *delivery, conn *webDAVConnection) (string, error) {
	w, done, err := openWebDAV(ctx, d, conn)
	if err != nil {
		return "", err
	}
	defer done()
	const ask = `<?xml version="1.0"?><propfind xmlns="DAV:"><prop><resourcetype/></prop></propfind>`
	res, err := w.do(ctx, "PROPFIND", "", strings.NewReader(ask), int64(len(ask)), "Depth", "0", "Content-Type", "application/xml")
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusMultiStatus:
		return fmt.Sprintf("the folder at %s can be reached", w.host()), nil
	case res.StatusCode == http.StatusOK || res.StatusCode == http.StatusMethodNotAllowed || res.StatusCode == http.StatusNotImplemented:
		return "", permanent("the host %q answers, but not as a WebDAV server; check the address of the connection", w.host())
	}
	return "", answered(w.host(), "looking at the folder", res, d.env.now())
}

// probeOneDrive asks for the drive, with a token that may have to be renewed.
func probeOneDrive(ctx context.Context, d *delivery, conn *oneDriveConnection) (string, error) {
	g, done, err := openOneDrive(ctx, d, conn)
	if err != nil {
		return "", err
	}
	defer done()
	res, err := g.do(ctx, true, http.MethodGet, "https://"+graphHost+"/v1.0/drives/"+url.PathEscape(conn.DriveID), nil, 0)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return "", g.answer("looking at", "", res)
	}
	var drive struct{ Name string }
	_ = json.NewDecoder(res.Body).Decode(&drive) // its name is only for people
	return fmt.Sprintf("the drive %s can be reached", plain(drive.Name)), nil
}

func probeGoogleDrive(ctx context.Context, d *delivery, conn *googleConnection) (string, error) {
	return probeCloud(ctx, d, conn.cloud())
}

func probeDropbox(ctx context.Context, d *delivery, conn *dropboxConnection) (string, error) {
	return probeCloud(ctx, d, conn.cloud())
}

// probeFolders makes and removes a file in each of the folders.
func probeFolders(_ context.Context, d *delivery, _ *noConnection) (string, error) {
	if len(d.env.Folders) == 0 {
		_, err := allowedFolder(nil, "")
		return "", err
	}
	for _, folder := range d.env.Folders {
		f, err := os.CreateTemp(folder, ".quire-test-*.part")
		if err != nil {
			return "", permanent("the allowed folder %s cannot be written to: %s", folder, reason(err))
		}
		_ = f.Close()
		_ = os.Remove(f.Name())
	}
	return "the allowed folders can be written to: " + strings.Join(d.env.Folders, ", "), nil
}

// probeWebhook sends a signed event of its own kind, which says that it is a
// test.
func probeWebhook(ctx context.Context, d *delivery, conn *webhookConnection) (string, error) {
	address, err := d.address(conn.Address.Reveal())
	if err != nil {
		return "", err
	}
	event, err := json.Marshal(map[string]any{"type": "connection.test", "at": d.env.now().UTC()})
	if err == nil {
		err = d.tell(ctx, conn, event)
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("the host %s took a signed request of the type connection.test", address.Hostname()), nil
}
