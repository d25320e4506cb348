package data

import (
	"container/list"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/lib/pq"
	mssql "github.com/microsoft/go-mssqldb"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// databases keeps a pool of connections for each database in use, the most
// recently used ones.
type databases struct {
	sqliteFolders []string

	mu      sync.Mutex
	order   *list.List // of *openDatabase, most recent first
	byPlace map[[2]string]*list.Element
}

type openDatabase struct {
	place [2]string // type and address
	db    *sql.DB
}

// maxDatabases bounds how many databases are held open.
const maxDatabases = 32

func newDatabases(sqliteFolders []string) *databases {
	return &databases{sqliteFolders: sqliteFolders, order: list.New(), byPlace: map[[2]string]*list.Element{}}
}

func (d *databases) open(conn *Connection) (*sql.DB, error) {
	place := [2]string{conn.Type, conn.Address.Reveal()}
	d.mu.Lock()
	defer d.mu.Unlock()
	if e, ok := d.byPlace[place]; ok {
		d.order.MoveToFront(e)
		return e.Value.(*openDatabase).db, nil
	}
	db, err := d.connect(conn)
	if err != nil {
		return nil, failed("settings.connection", "the address of the %s database cannot be used: %s", dialects[conn.Type].name, err)
	}
	db.SetMaxOpenConns(8)
	db.SetMaxIdleConns(2)
	db.SetConnMaxIdleTime(time.Minute)
	db.SetConnMaxLifetime(30 * time.Minute)
	d.byPlace[place] = d.order.PushFront(&openDatabase{place, db})
	for d.order.Len() > maxDatabases {
		old := d.order.Remove(d.order.Back()).(*openDatabase)
		delete(d.byPlace, old.place)
		_ = old.db.Close() // runs that use it still finish
	}
	return db, nil
}

func (d *databases) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for e := d.order.Front(); e != nil; e = e.Next() {
		_ = e.Value.(*openDatabase).db.Close()
	}
	d.order.Init()
	clear(d.byPlace)
}

// connect makes a pool; it opens no connection yet. Its errors never show the
// address, which holds the password.
func (d *databases) connect(conn *Connection) (*sql.DB, error) {
	address := conn.Address.Reveal()
	switch conn.Type {
	case ConnectionPostgres:
		return openWith(pq.NewConnector(address))
	case ConnectionMySQL:
		config, err := mysqlConfig(address)
		if err != nil {
			return nil, err
		}
		return openWith(mysql.NewConnector(config))
	case ConnectionSQLServer:
		return openWith(mssql.NewConnector(address))
	}
	return d.openSQLite(address)
}

var errAddress = errors.New("it has not the form of one, for example postgres://user:password@host:5432/name")

func openWith[C driver.Connector](connector C, err error) (*sql.DB, error) {
	if err != nil {
		return nil, errAddress
	}
	return sql.OpenDB(connector), nil
}

// mysqlConfig reads mysql://user:password@host:port/name or the driver's own
// form. Files of this machine and several statements stay forbidden.
func mysqlConfig(address string) (*mysql.Config, error) {
	if u, err := url.Parse(address); err == nil && (u.Scheme == "mysql" || u.Scheme == "mariadb") {
		address = mysqlAddress(u)
	}
	config, err := mysql.ParseDSN(address)
	if err != nil {
		return nil, errors.New("it has not the form of one, for example mysql://user:password@host:3306/name")
	}
	config.ParseTime, config.Loc = true, time.UTC
	config.MultiStatements, config.AllowAllFiles, config.InterpolateParams = false, false, false
	return config, nil
}

func mysqlAddress(u *url.URL) string {
	config := mysql.NewConfig()
	config.Net, config.Addr = "tcp", u.Host
	if u.Port() == "" {
		config.Addr += ":3306"
	}
	config.User = u.User.Username()
	config.Passwd, _ = u.User.Password()
	config.DBName = strings.TrimPrefix(u.Path, "/")
	text := config.FormatDSN()
	if u.RawQuery != "" {
		if strings.Contains(text, "?") {
			return text + "&" + u.RawQuery
		}
		return text + "?" + u.RawQuery
	}
	return text
}

// openSQLite opens a file for reading, if it lies in a folder that sources may
// open.
func (d *databases) openSQLite(address string) (*sql.DB, error) {
	path := strings.TrimPrefix(strings.TrimPrefix(address, "sqlite:"), "//")
	path, err := d.allowed(path)
	if err != nil {
		return nil, err
	}
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: "mode=ro&_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=busy_timeout(5000)"}
	return sql.Open("sqlite", u.String())
}

// allowed is the real path of a file inside one of the folders; links out of
// them are followed and refused.
func (d *databases) allowed(path string) (string, error) {
	if len(d.sqliteFolders) == 0 {
		return "", errors.New("SQLite files cannot be opened here")
	}
	for _, folder := range d.sqliteFolders {
		root, err := filepath.Abs(folder)
		if err != nil {
			continue
		}
		if root, err = filepath.EvalSymlinks(root); err != nil {
			continue
		}
		file := path
		if !filepath.IsAbs(file) {
			file = filepath.Join(root, file)
		}
		real, err := filepath.EvalSymlinks(file)
		if err != nil {
			continue
		}
		inside, err := filepath.Rel(root, real)
		if err == nil && filepath.IsLocal(inside) && isFile(real) {
			return real, nil
		}
	}
	return "", errors.New("there is no such file in the folders that may be read")
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
