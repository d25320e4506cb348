module github.com/quire-reports/quire/scripts/beside

go 1.26
