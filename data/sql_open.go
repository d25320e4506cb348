package data

import (
	"container/list"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync"
	"time"

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
	db, err := dialects[conn.Type].open(conn.Address.Reveal(), d.sqliteFolders)
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

var errAddress = errors.New("it has not the form of one, for example postgres://user:password@host:5432/name")

func openWith[C driver.Connector](connector C, err error) (*sql.DB, error) {
	if err != nil {
		return nil, errAddress
	}
	return sql.OpenDB(connector), nil
}
