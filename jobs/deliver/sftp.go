package deliver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"

	"github.com/quire-reports/quire/report"
)

var sftpServer = probed(define("sftp", "SFTP", "A folder on a server that speaks SSH.", deliverSFTP), probeSFTP)

type sftpConnection struct {
	Host       string        `json:"host" leads:"true" label:"Host" editor:"text" required:"true"`
	Port       int           `json:"port" leads:"true" label:"Port" default:"22" min:"1" max:"65535"`
	Username   string        `json:"username" leads:"true" label:"User name" editor:"text" required:"true"`
	Password   report.Secret `json:"password" label:"Password" editor:"secret"`
	PrivateKey report.Secret `json:"privateKey" label:"Private key" editor:"secret-text" help:"In the form of OpenSSH or PEM. Used before the password."`
	Passphrase report.Secret `json:"passphrase" label:"Passphrase of the key" editor:"secret"`
	HostKey    string        `json:"hostKey" leads:"true" label:"Key of the server" editor:"text" required:"true" help:"What the server proves itself with: a line such as ssh-ed25519 AAAA…, as ssh-keyscan prints it, or a fingerprint such as SHA256:…; several on lines of their own."`
	Folder     string        `json:"folder" label:"Folder" editor:"text" help:"Deliveries write below it. Empty means where the user arrives after signing in."`
}

func (c *sftpConnection) validate(path string) report.Problems {
	var problems report.Problems
	fail := func(field string, err error) {
		if err != nil {
			problems = append(problems, report.Problemf(report.JoinPath(path, field), "%s", err))
		}
	}
	_, err := parseHostKeys(c.HostKey)
	fail("hostKey", err)
	if c.Password == "" && c.PrivateKey == "" {
		fail("password", errors.New("a password or a private key is needed"))
	}
	if c.PrivateKey != "" {
		_, err := c.signer()
		fail("privateKey", err)
	}
	return problems
}

func (c *sftpConnection) signer() (ssh.Signer, error) {
	key := []byte(strings.TrimSpace(c.PrivateKey.Reveal()) + "\n")
	signer, err := ssh.ParsePrivateKey(key)
	var locked *ssh.PassphraseMissingError
	if errors.As(err, &locked) {
		if c.Passphrase == "" {
			return nil, errors.New("the private key needs its passphrase")
		}
		if signer, err = ssh.ParsePrivateKeyWithPassphrase(key, []byte(c.Passphrase.Reveal())); err != nil {
			return nil, errors.New("the passphrase does not fit the private key")
		}
	}
	if err != nil {
		return nil, errors.New("the private key cannot be read; paste the whole file, from -----BEGIN to END-----")
	}
	return signer, nil
}

// auth are the ways to sign in, the key first.
func (c *sftpConnection) auth() ([]ssh.AuthMethod, error) {
	var methods []ssh.AuthMethod
	if c.PrivateKey != "" {
		signer, err := c.signer()
		if err != nil {
			return nil, err
		}
		methods = append(methods, ssh.PublicKeys(signer))
	}
	if c.Password != "" {
		methods = append(methods, ssh.Password(c.Password.Reveal()), ssh.KeyboardInteractive(c.answer))
	}
	return methods, nil
}

// answer gives the password to a server that asks for it as a question.
func (c *sftpConnection) answer(_, _ string, questions []string, echos []bool) ([]string, error) {
	answers := make([]string, len(questions))
	for i := range questions {
		if echos[i] {
			return nil, errors.New("the server asks for more than a password")
		}
		answers[i] = c.Password.Reveal()
	}
	return answers, nil
}

func deliverSFTP(ctx context.Context, d *delivery, conn *sftpConnection, set *fileSettings) (Receipt, error) {
	life, end := context.WithCancel(ctx)
	defer end()
	client, err := d.dialSFTP(life, conn)
	if err != nil {
		return Receipt{}, err
	}
	// The connection first: a server need not answer a goodbye.
	defer func() { end(); _ = client.Close() }()
	base := path.Clean(strings.TrimSpace(conn.Folder) + "/.")
	if conn.Folder == "" {
		base = "."
	}
	return placeFiles(ctx, &sftpFiles{client: client, host: conn.Host, base: base, tag: d.tag}, *set, d.docs)
}

// dialSFTP opens a session whose connection ends with the context.
func (d *delivery) dialSFTP(ctx context.Context, conn *sftpConnection) (*sftp.Client, error) {
	keys, err := parseHostKeys(conn.HostKey)
	if err != nil {
		return nil, permanent("the key of the server: %s", err)
	}
	methods, err := conn.auth()
	if err != nil {
		return nil, permanent("%s", err)
	}
	address := net.JoinHostPort(conn.Host, strconv.Itoa(conn.Port))
	socket, err := d.dial(ctx, ctx, address, d.env.idle())
	if err != nil {
		return nil, unreachable(ctx, conn.Host, err)
	}
	var wrongKey error
	config := &ssh.ClientConfig{
		User: conn.Username, Auth: methods, HostKeyAlgorithms: keys.algorithms(),
		HostKeyCallback: func(_ string, _ net.Addr, key ssh.PublicKey) error {
			wrongKey = keys.check(conn.Host, key)
			return wrongKey
		},
	}
	secure, channels, requests, err := ssh.NewClientConn(socket, address, config)
	if err != nil {
		_ = socket.Close()
		return nil, signInFailed(ctx, conn, wrongKey, err)
	}
	client, err := sftp.NewClient(ssh.NewClient(secure, channels, requests), sftp.UseConcurrentWrites(true))
	if err != nil {
		_ = secure.Close()
		return nil, permanent("the server %q lets the user sign in and offers no file transfer (SFTP): %s", conn.Host, plain(err.Error()))
	}
	return client, nil
}

func signInFailed(ctx context.Context, conn *sftpConnection, wrongKey, err error) error {
	switch text := err.Error(); {
	case wrongKey != nil:
		return wrongKey
	case strings.Contains(text, "unable to authenticate"):
		return permanent("the server %q refused the sign-in of %q; check the user name, and the password or private key", conn.Host, conn.Username)
	case strings.Contains(text, "no common algorithm for host key"):
		return permanent("the server %q has no key of the type that the connection names; enter the key that it has", conn.Host)
	}
	return unreachable(ctx, conn.Host, err)
}

// sftpFiles keeps files below a folder of a server.
type sftpFiles struct {
	client    *sftp.Client
	host      string
	base, tag string
}

func (s *sftpFiles) at(p string) string { return path.Join(s.base, p) }
func (s *sftpFiles) place(p string) string {
	return "sftp://" + s.host + "/" + strings.TrimPrefix(s.at(p), "/")
}

func (s *sftpFiles) look(ctx context.Context, p string) (*foundFile, error) {
	info, err := s.client.Stat(s.at(p))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, s.failed(ctx, "looking for", p, err)
	case !info.Mode().IsRegular():
		return nil, permanent("%s is no ordinary file; choose another name", s.place(p))
	}
	return &foundFile{size: info.Size()}, nil
}

func (s *sftpFiles) read(ctx context.Context, p string) (io.ReadCloser, error) {
	f, err := s.client.Open(s.at(p))
	if err != nil {
		return nil, s.failed(ctx, "reading", p, err)
	}
	return f, nil
}

func (s *sftpFiles) write(ctx context.Context, p string, doc *document, replace bool) error {
	folder := path.Dir(s.at(p))
	if err := s.client.MkdirAll(folder); err != nil {
		return s.failed(ctx, "making the folder of", p, err)
	}
	temp := path.Join(folder, unfinishedName(s.tag, doc))
	if err := s.fill(ctx, temp, doc); err != nil {
		_ = s.client.Remove(temp)
		return s.failed(ctx, "writing", p, err)
	}
	if replace {
		return s.failed(ctx, "writing", p, s.replace(temp, s.at(p)))
	}
	// This kind of renaming fails when there is a file; servers say no more than
	// that it failed.
	err := s.client.Rename(temp, s.at(p))
	if err != nil {
		_, missing := s.client.Lstat(s.at(p))
		_ = s.client.Remove(temp)
		if missing == nil {
			return errExists
		}
	}
	return s.failed(ctx, "writing", p, err)
}

// replace renames over a file: at once where the server can, else with a moment
// without it.
func (s *sftpFiles) replace(temp, target string) error {
	if _, ok := s.client.HasExtension("posix-rename@openssh.com"); ok {
		return s.client.PosixRename(temp, target)
	}
	if err := s.client.Remove(target); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return s.client.Rename(temp, target)
}

func (s *sftpFiles) fill(ctx context.Context, temp string, doc *document) error {
	from, err := doc.open(ctx)
	if err != nil {
		return err
	}
	defer from.Close()
	f, err := s.client.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	if _, err = f.ReadFrom(from); err == nil {
		if _, ok := s.client.HasExtension("fsync@openssh.com"); ok {
			err = f.Sync()
		}
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	info, err := s.client.Stat(temp)
	if err == nil && info.Size() != doc.Size {
		return temporary("the server kept %d of %d bytes; its disk may be full", info.Size(), doc.Size)
	}
	return err
}

// failed words what the server says; nil stays nil.
func (s *sftpFiles) failed(ctx context.Context, doing, p string, err error) error {
	var own *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return own
	case ctx.Err() != nil:
		return asError(ctx, err)
	case errors.Is(err, fs.ErrPermission):
		return permanent("%s %s failed: the user may not do this there", doing, s.place(p))
	case errors.Is(err, sftp.ErrSSHFxConnectionLost):
		return temporary("%s %s failed: the connection was lost", doing, s.place(p))
	}
	return temporary("%s %s failed: %s", doing, s.place(p), plain(err.Error()))
}

// anyHostKey is a fingerprint that no key has: it asks the server for its own.
const anyHostKey = "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// forProbe lets a server whose key is not known yet be asked for it.
func (*sftpConnection) forProbe(given map[string]any) {
	if given["hostKey"] == nil {
		given["hostKey"] = anyHostKey
	}
}

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
