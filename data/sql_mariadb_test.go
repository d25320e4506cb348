package data

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report"
)

// mariaServer starts a private MariaDB for one test and gives its address. It
// is skipped where none is installed.
func mariaServer(t *testing.T) string {
	t.Helper()
	server, install := program("mariadbd", "/usr/sbin/mariadbd"), program("mariadb-install-db", "/usr/bin/mariadb-install-db")
	if server == "" || install == "" {
		judges.Missing(t, "MariaDB is not installed (Debian: mariadb-server); its tests are skipped")
	}
	folder, err := os.MkdirTemp("", "quire-maria")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	run := asOrdinaryUser(t, folder)
	datadir := "--datadir=" + filepath.Join(folder, "data")
	if out, err := run(install, "--no-defaults", datadir, "--auth-root-authentication-method=normal", "--skip-test-db").CombinedOutput(); err != nil {
		t.Fatalf("mariadb-install-db: %v\n%s", err, out)
	}
	port := freePort(t)
	cmd := run(server, "--no-defaults", datadir, "--port="+port, "--bind-address=127.0.0.1", "--socket="+filepath.Join(folder, "s"), "--pid-file="+filepath.Join(folder, "pid"), "--innodb-flush-log-at-trx-commit=0")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGKILL) // nothing of it is kept
		_ = cmd.Wait()
	})
	fillMaria(t, "root@tcp(127.0.0.1:"+port+")/")
	return fmt.Sprintf("mysql://shop:p%%40ss@127.0.0.1:%s/shop", port)
}

func program(name, usual string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	if _, err := os.Stat(usual); err == nil {
		return usual
	}
	return ""
}

// fillMaria makes the shop and a user who may do everything with it.
func fillMaria(t *testing.T, root string) {
	t.Helper()
	db, err := sql.Open("mysql", root)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for range 400 {
		if err = db.Ping(); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		t.Fatalf("MariaDB did not start: %v", err)
	}
	db.SetMaxOpenConns(1) // for USE
	for _, statement := range append([]string{"create database shop character set utf8mb4", "create user shop@'127.0.0.1' identified by 'p@ss'", "grant all on shop.* to shop@'127.0.0.1'", "use shop"}, shopSchema...) {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

func TestMariaDB(t *testing.T) {
	address := mariaServer(t)
	l := loader(t, Config{Timeout: 2 * time.Second, Connections: connections{
		"shop": {Type: "mysql", Address: report.Secret(address)}, "web": {Type: "api", Address: "https://example.com"},
		"closed": {Type: "mysql", Address: "mysql://u:topsecret@127.0.0.1:1/x"},
		"denied": {Type: "mysql", Address: report.Secret(strings.Replace(address, "p%40ss", "topsecret", 1))},
	}})
	checkShop(t, l)
	t.Run("values", func(t *testing.T) { checkMariaValues(t, l) })
	t.Run("faults", func(t *testing.T) { checkMariaFaults(t, l) })
}

func checkMariaValues(t *testing.T, l *Loader) {
	for _, tt := range []struct{ query, want string }{
		{"select cast(12345678901234567890.123456789 as decimal(40,9)) as v", `12345678901234567890.123456789`},
		{"select cast(0.10 as decimal(10,2)) as v", `0.10`},
		{"select 9223372036854775807 as v", `9223372036854775807`},
		{"select cast(18446744073709551615 as unsigned) as v", `18446744073709551615`},
		{"select 1.5e0 as v", `1.5`},
		{"select date '2024-02-29' as v", `"2024-02-29T00:00:00+01:00"`},
		{"select timestamp '2024-07-01 17:05:00' as v", `"2024-07-01T17:05:00+02:00"`},
		{"select cast('0000-00-00' as date) as v", `null`},
		{"select time '17:05:00' as v", `"17:05:00"`},
		{"select '\u00e4\u20ac\U0001F600' as v", "\"\u00e4\u20ac\U0001F600\""},
		{"select x'00ff' as v", `"AP8="`},
		{"select null as v", `null`},
		{"select cast(:price as decimal(10,2)) as v", `12.50`},
		{"select :tricky as v", `"'; DROP TABLE orders; --"`},
		{"select 'it\\'s :name' as v", `"it's :name"`},
		{"select `id` as v from orders where `customer` = :name and id = 1", `1`},
		{"select id as v from orders where id = 1 # :name and ? and {$x}", `1`},
		{"select cast('{\"a\": [1, 2.50]}' as char) as v", `"{\"a\": [1, 2.50]}"`},
		{"select sum(total) as v from orders where customer_id = :customerId", `1234.60`},
	} {
		got, err := loadOne(t, l, "sql", map[string]any{"connection": "shop", "query": tt.query})
		if want := `[{"v":` + tt.want + `}]`; err != nil || got != want {
			t.Errorf("%s: got %s %v, want %s", tt.query, got, err, want)
		}
	}
}

func checkMariaFaults(t *testing.T, l *Loader) {
	for _, tt := range []struct{ connection, query, want string }{
		{"shop", "select wibble from orders", "the query failed: Unknown column 'wibble'"},
		{"shop", "select sleep(10)", "took longer than its limit of 2s"},
		{"closed", "select 1", "the MySQL database could not be reached"},
		{"denied", "select 1", "the MySQL database could not be reached"},
		{"shop", "select * from orders into outfile '/tmp/quire-x'", "the query failed"},
		{"shop", "select load_file('/etc/passwd') is null as v from orders for update", ""},
		{"shop", "load data infile '/etc/passwd' into table orders", "begins with one of"},
		{"shop", "set global read_only = 0", "begins with one of"},
		{"shop", "commit", "begins with one of"},
	} {
		_, err := loadOne(t, l, "sql", map[string]any{"connection": tt.connection, "query": tt.query})
		if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) || err != nil && strings.Contains(err.Error(), "topsecret") {
			t.Errorf("%s: %v", tt.query, err)
		}
	}
	got, err := loadOne(t, l, "sql", map[string]any{"connection": "shop", "query": "select count(*) as n from orders"})
	if err != nil || got != `[{"n":3}]` {
		t.Errorf("after the faults: %s %v", got, err)
	}
}
