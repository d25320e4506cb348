package data

import (
	"database/sql"
	"errors"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

var mySQL = &dialect{
	kind: "mysql", name: "MySQL", label: "MySQL or MariaDB", example: "mysql://report:password@db.example.com/shop",
	open: openMySQL, explain: explainMySQL, runComments: true,
	backslashStrings: true, backticks: true, hashComments: true, dashNeedsBlank: true, atVariables: true, begins: " select with values table show explain describe desc call ",
}

func openMySQL(address string, _ []string) (*sql.DB, error) {
	config, err := mysqlConfig(address)
	if err != nil {
		return nil, err
	}
	return openWith(mysql.NewConnector(config))
}

var lineAtEnd = regexp.MustCompile(` at line (\d+)$`)

// lineInMessage is the line that MySQL and MariaDB name at the end of a message.
func lineInMessage(message string) int {
	if m := lineAtEnd.FindStringSubmatch(message); m != nil {
		line, _ := strconv.Atoi(m[1])
		return line
	}
	return 0
}

func explainMySQL(_ string, err error) (message string, line int, ok bool) {
	var said *mysql.MySQLError
	if !errors.As(err, &said) {
		return "", 0, false
	}
	return said.Message, lineInMessage(said.Message), true
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
