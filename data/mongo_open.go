package data

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/connstring"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"
)

// mongos keeps a client for each MongoDB server in use.
type mongos struct {
	mu        sync.Mutex
	byAddress map[string]*openMongo
}

type openMongo struct {
	client   *mongo.Client
	database string // of the address
	used     time.Time
}

func newMongos() *mongos { return &mongos{byAddress: map[string]*openMongo{}} }

// serverWait is how long a server is waited for.
const serverWait = 5 * time.Second

func (m *mongos) open(conn *Connection) (*mongo.Client, string, error) {
	address := conn.Address.Reveal()
	m.mu.Lock()
	defer m.mu.Unlock()
	known, ok := m.byAddress[address]
	if !ok {
		var err error
		if known, err = connectMongo(address); err != nil {
			return nil, "", err
		}
		m.dropOldest()
		m.byAddress[address] = known
	}
	known.used = time.Now()
	return known.client, known.database, nil
}

var errMongoAddress = failed("settings.connection", "the address of the MongoDB database cannot be used; write one such as mongodb://user:password@host:27017/name")

func connectMongo(address string) (*openMongo, error) {
	if !strings.HasPrefix(address, "mongodb://") && !strings.HasPrefix(address, "mongodb+srv://") {
		return nil, errMongoAddress
	}
	parsed, err := connstring.Parse(address)
	if err != nil {
		return nil, errMongoAddress // whose message may hold the password
	}
	client, err := mongo.Connect(options.Client().ApplyURI(address).SetAppName("Quire").SetMaxPoolSize(8).SetServerSelectionTimeout(serverWait).SetRetryReads(true))
	if err != nil {
		return nil, errMongoAddress
	}
	return &openMongo{client: client, database: parsed.Database}, nil
}

// dropOldest keeps the number of clients bounded.
func (m *mongos) dropOldest() {
	if len(m.byAddress) < maxDatabases {
		return
	}
	oldest := ""
	for address, o := range m.byAddress {
		if oldest == "" || o.used.Before(m.byAddress[oldest].used) {
			oldest = address
		}
	}
	m.byAddress[oldest].close()
	delete(m.byAddress, oldest)
}

func (m *mongos) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, o := range m.byAddress {
		o.close()
	}
	clear(m.byAddress)
}

// close lets commands that run finish for a while.
func (o *openMongo) close() {
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		_ = o.client.Disconnect(ctx)
	}()
}

// isUnreachable tells that there is no server, or none that lets the user in.
// What the driver says then names addresses, so it is not passed on.
func isUnreachable(err error) bool {
	var selection topology.ServerSelectionError
	var connection topology.ConnectionError
	return errors.As(err, &selection) || errors.As(err, &connection) || mongo.IsNetworkError(err)
}
