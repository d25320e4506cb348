package data

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report"
)

// mongoServer starts a private server of MongoDB's protocol with a small shop
// and gives its address. It is skipped where none was built.
func mongoServer(t *testing.T) string {
	t.Helper()
	cache, _ := os.UserCacheDir()
	server := program("quire-testmongo", filepath.Join(cache, "quire", "testmongo"))
	if server == "" {
		judges.Missing(t, "there is no server of MongoDB's protocol: scripts/setup.sh test builds one")
	}
	address := "127.0.0.1:" + freePort(t)
	cmd := exec.Command(server, address, t.TempDir())
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	fillMongo(t, "mongodb://"+address)
	return "mongodb://" + address + "/shop"
}

func fillMongo(t *testing.T, address string) {
	t.Helper()
	client, err := mongo.Connect(options.Client().ApplyURI(address).SetServerSelectionTimeout(20 * time.Second))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Disconnect(context.Background()) }()
	id, _ := bson.ObjectIDFromHex("65df1f77bcf86cd799439011")
	_, err = client.Database("shop").Collection("orders").InsertMany(context.Background(), []any{
		bson.D{{Key: "_id", Value: id}, {Key: "n", Value: int32(1)}, {Key: "customer", Value: "O'Brien"}, {Key: "placed", Value: time.Date(2024, 2, 3, 16, 5, 0, 0, time.UTC)}, {Key: "total", Value: 1234.5}, {Key: "lines", Value: bson.A{bson.D{{Key: "sku", Value: "A1"}, {Key: "count", Value: int64(2)}}}}},
		bson.D{{Key: "n", Value: int32(2)}, {Key: "customer", Value: "O'Brien"}, {Key: "placed", Value: time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)}, {Key: "total", Value: 0.1}, {Key: "note", Value: nil}},
		bson.D{{Key: "n", Value: int32(3)}, {Key: "customer", Value: "Ana"}, {Key: "placed", Value: time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC)}, {Key: "total", Value: 99.95}, {Key: "big", Value: int64(9007199254740993)}, {Key: "raw", Value: bson.Binary{Data: []byte{0, 255}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestMongoDB(t *testing.T) {
	l := loader(t, Config{Scripts: scripts(t), Timeout: 5 * time.Second, Connections: connections{
		"shop": {Type: "mongodb", Address: report.Secret(mongoServer(t))}, "web": {Type: "api", Address: "https://example.com"},
		"closed": {Type: "mongodb", Address: "mongodb://u:topsecret@127.0.0.1:1/x?connectTimeoutMS=200"},
		"broken": {Type: "mongodb", Address: "mongodb://u:topsecret@"},
	}})
	t.Run("results", func(t *testing.T) { checkMongoResults(t, l) })
	t.Run("refused", func(t *testing.T) { checkMongoRefused(t, l) })
	t.Run("faults", func(t *testing.T) { checkMongoFaults(t, l) })
	if got, err := loadOne(t, l, "mongodb", mongoSettingsOf(`() => ({aggregate: 'orders', pipeline: [{$count: 'n'}]})`)); err != nil || got != `[{"n":3}]` {
		t.Errorf("after all of it: %s %v", got, err)
	}
}

func mongoSettingsOf(function string) map[string]any {
	return map[string]any{"connection": "shop", "function": function}
}

func checkMongoResults(t *testing.T, l *Loader) {
	for function, want := range map[string]string{
		`({$params}) => ({find: 'orders', filter: {customer: $params.name}, projection: {_id: 0, n: 1, total: 1}, sort: {n: 1}})`:                      `[{"n":1,"total":1234.5},{"n":2,"total":0.1}]`,
		`() => ({find: 'orders', filter: {n: 1}, projection: {n: 0, total: 0}})`:                                                                       `[{"_id":"65df1f77bcf86cd799439011","customer":"O'Brien","placed":"2024-02-03T16:05:00Z","lines":[{"sku":"A1","count":2}]}]`,
		`() => ({find: 'orders', filter: {_id: {$oid: '65df1f77bcf86cd799439011'}}, projection: {_id: 0, n: 1}})`:                                      `[{"n":1}]`,
		`() => ({find: 'orders', filter: {placed: {$gte: new Date('2024-02-10'), $lt: {$date: '2024-03-01T00:00:00Z'}}}, projection: {_id: 0, n: 1}})`: `[{"n":2}]`,
		`() => ({find: 'orders', filter: {n: 3}, projection: {_id: 0, big: 1, raw: 1}})`:                                                               `[{"big":9007199254740993,"raw":"AP8="}]`,
		`() => ({find: 'orders', filter: {n: 2}, projection: {_id: 0, note: 1}})`:                                                                      `[{"note":null}]`,
		`() => ({find: 'orders', sort: {n: -1}, limit: 1, skip: 1, projection: {_id: 0, n: 1}})`:                                                       `[{"n":2}]`,
		`() => ({find: 'nothing'})`: `[]`,
		`() => ({aggregate: 'orders', cursor: {batchSize: 1}, pipeline: [{$group: {_id: '$customer', sum: {$sum: '$n'}}}, {$sort: {_id: 1}}]})`: `[{"_id":"Ana","sum":3},{"_id":"O'Brien","sum":3}]`,
		`() => ({distinct: 'orders', key: 'customer'})`:                    `["Ana","O'Brien"]`,
		`() => ({distinct: 'orders', key: 'n', query: {customer: 'Ana'}})`: `[3]`,
		`() => {}`: `[]`,
		`({$params, $data}) => typeof $data === 'undefined' ? {find: 'orders', filter: {n: $params.customerId - 41}, projection: {_id: 0, n: 1}} : 0`: `[{"n":1}]`,
		// what a user gives is a value, not an operator
		`({$params}) => ({find: 'orders', filter: {customer: $params.tricky}})`: `[]`,
	} {
		if got, err := loadOne(t, l, "mongodb", mongoSettingsOf(function)); err != nil || got != want {
			t.Errorf("%s:\n got %s %v\nwant %s", function, got, err, want)
		}
	}
}

func checkMongoRefused(t *testing.T, l *Loader) {
	for function, want := range map[string]string{
		`() => ({delete: 'orders', deletes: [{q: {}, limit: 0}]})`:                               `unknown command "delete"; accepted: aggregate, distinct, find`,
		`() => ({drop: 'orders'})`:                                                               `unknown command "drop"`,
		`() => ({filter: {}, find: 'orders'})`:                                                   `unknown command "filter"`,
		`() => ({find: 'orders', drop: 'orders'})`:                                               `unknown member "drop" of find; accepted: filter, projection`,
		`() => ({find: 'orders', $db: 'admin'})`:                                                 `unknown member "$db"`,
		`() => ({find: 'orders', filter: {$where: 'sleep(1000)'}})`:                              "the operator $where is refused",
		`() => ({aggregate: 'orders', pipeline: [{$match: {}}, {$out: 'copy'}]})`:                "the operator $out is refused",
		`() => ({aggregate: 'orders', pipeline: [{$facet: {a: [{$merge: {into: 'orders'}}]}}]})`: "the operator $merge is refused",
		`() => ({aggregate: 'orders', pipeline: [{$project: {a: {$function: {body: 'x'}}}}]})`:   "the operator $function is refused",
		`() => ({aggregate: 1, pipeline: []})`:                                                   "needs the name of a collection, not 1",
		`() => ({find: '$cmd'})`:                                                                 "needs the name of a collection",
		`() => ({find: ''})`:                                                                     "needs the name of a collection",
		`() => [1]`:                                                                              "must return a command such as",
		`() => 'find'`:                                                                           "must return a command such as",
		`() => ({find: 'orders', filter: {_id: {$oid: 'x'}}})`:                                   "no Extended JSON",
		`() => { throw new Error('which customer?') }`:                                           "which customer?",
	} {
		if got, err := loadOne(t, l, "mongodb", mongoSettingsOf(function)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %s %v", function, got, err)
		}
	}
}

func checkMongoFaults(t *testing.T, l *Loader) {
	const find = `() => ({find: 'orders'})`
	for want, settings := range map[string]map[string]any{
		"the command failed":             mongoSettingsOf(`() => ({find: 'orders', filter: {n: {$wibble: 1}}})`),
		"more than 2 rows":               {"connection": "shop", "function": find, "maxRows": int64(2)},
		`leads to the database "shop"`:   {"connection": "shop", "function": find, "database": "admin"},
		"could not be reached":           {"connection": "closed", "function": find},
		"the address of the MongoDB":     {"connection": "broken", "function": find},
		`is one of type api`:             {"connection": "web", "function": find},
		`there is no connection "x"`:     {"connection": "x", "function": find},
		"no MongoDB connection is named": {"function": find},
		"make a connection and name it":  {"address": "mongodb://127.0.0.1/x", "function": find},
	} {
		_, err := loadOne(t, l, "mongodb", settings)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "topsecret") {
			t.Errorf("%s: %v", want, err)
		}
	}
}
