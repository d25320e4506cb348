package ssotest

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-ldap/ldap/v3"

	"github.com/quire-reports/quire/internal/judges"
)

// What a directory begins with.
const (
	Base           = "dc=example,dc=com"
	People         = "ou=people," + Base
	Groups         = "ou=groups," + Base
	Reader         = "cn=reader," + Base // may read all but passwords
	ReaderPassword = "reader-password"
	administrator  = "cn=admin," + Base
	adminPassword  = "admin-password"
)

// Directory is OpenLDAP's slapd in a folder of its own, on loopback, with the
// attributes of other directories, too.
type Directory struct {
	LDAP, LDAPS string         // addresses
	CAFile      string         // of its certificate
	CA          *x509.CertPool // the same

	t       testing.TB
	program string
	dir     string
	running *exec.Cmd
	log     bytes.Buffer
}

// NewDirectory starts a directory that ends with the test.
func NewDirectory(t testing.TB) *Directory {
	t.Helper()
	d := &Directory{t: t, dir: t.TempDir(), program: slapd(t)}
	d.LDAP, d.LDAPS = "ldap://"+freeAddress(t), "ldaps://"+freeAddress(t)
	d.certificate()
	d.configure()
	d.Start()
	t.Cleanup(d.Stop)
	d.Add(Base, "objectClass=dcObject", "objectClass=organization", "o=Example Ltd", "dc=example")
	d.Add(People, "objectClass=organizationalUnit", "ou=people")
	d.Add(Groups, "objectClass=organizationalUnit", "ou=groups")
	d.Add(Reader, "objectClass=organizationalRole", "objectClass=simpleSecurityObject", "cn=reader", "userPassword="+ReaderPassword)
	return d
}

// slapd is the program, unpacked or installed.
func slapd(t testing.TB) string {
	t.Helper()
	cache, _ := os.UserCacheDir()
	for _, place := range []string{filepath.Join(cache, "quire", "slapd", "root"), ""} {
		if path := place + "/usr/sbin/slapd"; isThere(path) {
			return path
		}
	}
	judges.Missing(t, "needs slapd (Debian: slapd); scripts/setup.sh test unpacks it")
	return ""
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// configure writes the settings. The classes of Active Directory, 389 and
// FreeIPA are made of what slapd's schemas have, and a few attributes besides.
func (d *Directory) configure() {
	root := strings.TrimSuffix(d.program, "/usr/sbin/slapd")
	text := "modulepath " + root + "/usr/lib/ldap\nmoduleload back_mdb\nmoduleload memberof\nmoduleload ppolicy\n"
	for _, schema := range []string{"core", "cosine", "inetorgperson", "nis"} {
		text += "include " + root + "/etc/ldap/schema/" + schema + ".schema\n"
	}
	text += `attributetype ( 1.3.6.1.4.1.99999.1 NAME 'objectGUID' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.99999.2 NAME 'sAMAccountName' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.99999.3 NAME 'userPrincipalName' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.99999.4 NAME 'userAccountControl' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.99999.5 NAME 'accountExpires' EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.3.6.1.4.1.99999.6 NAME 'nsAccountLock' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 )
attributetype ( 1.3.6.1.4.1.99999.7 NAME 'ipaUniqueID' EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE )
objectclass ( 1.3.6.1.4.1.99999.11 NAME 'user' SUP top AUXILIARY MAY ( objectGUID $ sAMAccountName $ userPrincipalName $ userAccountControl $ accountExpires ) )
objectclass ( 1.3.6.1.4.1.99999.12 NAME 'group' SUP top AUXILIARY MAY ( sAMAccountName ) )
objectclass ( 1.3.6.1.4.1.99999.14 NAME 'computer' SUP top AUXILIARY MAY ( sAMAccountName ) )
objectclass ( 1.3.6.1.4.1.99999.13 NAME 'ipaobject' SUP top AUXILIARY MAY ( ipaUniqueID $ nsAccountLock ) )
`
	text += fmt.Sprintf(`TLSCACertificateFile %[1]s/ca.pem
TLSCertificateFile %[1]s/cert.pem
TLSCertificateKeyFile %[1]s/key.pem
database mdb
maxsize 33554432
suffix %[2]s
rootdn %[3]s
rootpw %[4]s
directory %[1]s/data
dbnosync
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact=%[5]s read by anonymous auth by * none
overlay memberof
overlay ppolicy
ppolicy_default cn=policy,%[2]s
`, d.dir, Base, administrator, adminPassword, Reader)
	d.write("slapd.conf", []byte(text))
	if err := os.Mkdir(filepath.Join(d.dir, "data"), 0o700); err != nil {
		d.t.Fatal(err)
	}
}

func (d *Directory) write(name string, content []byte) {
	if err := os.WriteFile(filepath.Join(d.dir, name), content, 0o600); err != nil {
		d.t.Fatal(err)
	}
}

// certificate makes an authority and a certificate of it for this machine.
func (d *Directory) certificate() {
	must := func(err error) {
		d.t.Helper()
		if err != nil {
			d.t.Fatal(err)
		}
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Example Authority"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	signed, err := x509.CreateCertificate(rand.Reader, authority, authority, &key.PublicKey, key)
	must(err)
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "localhost"}, NotBefore: authority.NotBefore, NotAfter: authority.NotAfter,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"}, KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	cert, err := x509.CreateCertificate(rand.Reader, server, authority, &own.PublicKey, key)
	must(err)
	private, err := x509.MarshalPKCS8PrivateKey(own)
	must(err)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})
	d.write("ca.pem", ca)
	d.write("cert.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}))
	d.write("key.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))
	d.CAFile, d.CA = filepath.Join(d.dir, "ca.pem"), x509.NewCertPool()
	d.CA.AppendCertsFromPEM(ca)
}

// Start starts it again, with what it holds.
func (d *Directory) Start() {
	d.t.Helper()
	d.running = exec.Command(d.program, "-d", "0", "-f", filepath.Join(d.dir, "slapd.conf"), "-h", d.LDAP+" "+d.LDAPS)
	libraries, _ := filepath.Glob(strings.TrimSuffix(d.program, "sbin/slapd") + "lib/*-linux-gnu")
	d.running.Env = append(os.Environ(), "LD_LIBRARY_PATH="+strings.Join(libraries, ":"))
	d.running.Stdout, d.running.Stderr = &d.log, &d.log
	if err := d.running.Start(); err != nil {
		d.t.Fatal(err)
	}
	for range 200 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(d.LDAPS, "ldaps://"))
		if err == nil {
			_ = conn.Close()
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	d.Stop()
	d.t.Fatalf("slapd does not listen: %s", d.log.String())
}

// Stop stops it; what it holds stays.
func (d *Directory) Stop() {
	if d.running == nil {
		return
	}
	_ = d.running.Process.Signal(os.Interrupt)
	_ = d.running.Wait()
	d.running = nil
}

// as does something as the administrator.
func (d *Directory) as(do func(c *ldap.Conn) error) {
	d.t.Helper()
	c, err := ldap.DialURL(d.LDAP)
	if err == nil {
		defer c.Close()
		err = c.Bind(administrator, adminPassword)
	}
	if err == nil {
		err = do(c)
	}
	if err != nil {
		d.t.Fatalf("the directory: %v", err)
	}
}

// Add adds an entry, of name=value each.
func (d *Directory) Add(dn string, pairs ...string) {
	d.t.Helper()
	d.as(func(c *ldap.Conn) error {
		request, values, order := ldap.NewAddRequest(dn, nil), map[string][]string{}, []string{}
		for _, pair := range pairs {
			name, value, _ := strings.Cut(pair, "=")
			if values[name] == nil {
				order = append(order, name)
			}
			values[name] = append(values[name], value)
		}
		for _, name := range order {
			request.Attribute(name, values[name])
		}
		return c.Add(request)
	})
}

// AddPerson adds a person with a password and more pairs; it gives their place.
func (d *Directory) AddPerson(uid, password string, pairs ...string) (dn string) {
	d.t.Helper()
	dn = "uid=" + ldap.EscapeDN(uid) + "," + People
	d.Add(dn, append([]string{
		"objectClass=inetOrgPerson", "objectClass=user", "objectClass=ipaobject", "uid=" + uid, "cn=Person " + uid, "sn=Person",
		"mail=" + strings.ToLower(uid) + "@company.example", "userPassword=" + password,
	}, pairs...)...)
	return dn
}

// AddGroup adds a group of people.
func (d *Directory) AddGroup(cn string, members ...string) (dn string) {
	d.t.Helper()
	dn = "cn=" + ldap.EscapeDN(cn) + "," + Groups
	pairs := []string{"objectClass=groupOfNames", "objectClass=group", "cn=" + cn, "sAMAccountName=" + cn, "member=" + administrator}
	for _, m := range members {
		pairs = append(pairs, "member="+m)
	}
	d.Add(dn, pairs...)
	return dn
}

// Set replaces the values of an attribute; none removes it.
func (d *Directory) Set(dn, attribute string, values ...string) {
	d.t.Helper()
	d.as(func(c *ldap.Conn) error {
		request := ldap.NewModifyRequest(dn, nil)
		request.Replace(attribute, values)
		return c.Modify(request)
	})
}

// Join puts a person into a group, and Leave takes them out.
func (d *Directory) Join(group, person string) {
	d.t.Helper()
	d.as(func(c *ldap.Conn) error {
		request := ldap.NewModifyRequest(group, nil)
		request.Add("member", []string{person})
		return c.Modify(request)
	})
}

// Leave takes a person out of a group.
func (d *Directory) Leave(group, person string) {
	d.t.Helper()
	d.as(func(c *ldap.Conn) error {
		request := ldap.NewModifyRequest(group, nil)
		request.Delete("member", []string{person})
		return c.Modify(request)
	})
}

// Delete removes an entry.
func (d *Directory) Delete(dn string) {
	d.t.Helper()
	d.as(func(c *ldap.Conn) error { return c.Del(ldap.NewDelRequest(dn, nil)) })
}
