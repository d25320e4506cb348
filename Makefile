# Every command a developer types. `make` alone lists them.
.DEFAULT_GOAL := help
SHELL := /bin/bash
GO ?= go
PKGS ?= ./...
GENERATED ?= 500
ACCESSIBLE ?= 60
OFFICE ?= 60

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

demo: ## install what is missing, build, start the service with the demo workspace, print where to look
	@scripts/demo.sh

test: ## install what the tests need, then lint and run all tests with the race detector
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory lint
	@scripts/test.sh

lint: ## gofumpt, vet, staticcheck, tsc and unit tests of the TypeScript, govulncheck
	@scripts/lint.sh

build: ## build bin/quire
	@$(GO) build -ldflags="-s -w -X main.version=$$(cat VERSION)" -o bin/quire ./cmd/quire

run: build ## start the service on ./quire-data
	@scripts/setup.sh run
	@bin/quire serve

watch: ## build and start the service on ./quire-data again whenever a source has changed
	@scripts/setup.sh run
	@scripts/watch.sh

site: ## build the documentation as a site with search, into site/; links that lead nowhere fail
	@scripts/setup.sh test
	@scripts/site.sh

pictures: ## make the pictures of the documentation anew, into docs/pictures, to look at before they are committed
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory build
	. scripts/node.sh && cd e2e && { [ -d node_modules/puppeteer-core ] || npm ci --no-audit --no-fund --silent; } && node pictures.mjs && KEEP_PICTURES=1 node --test firstinvoice.test.mjs

compare: ## DOCUMENTS (default: all) by Quire, Typst, WeasyPrint and Paged.js, side by side, into bin/compare, to look at
	@$(MAKE) --no-print-directory build
	@scripts/compare/run.sh $(DOCUMENTS)

golden: ## rewrite golden files and generated documents from what the code does now
	$(GO) generate ./assets
	$(GO) test ./htmlgen ./api ./cmd/quire -run "Examples|Documents|OpenAPI|Current|Schema|TestMetrics|Dashboards|TestTraces" -update

bench: ## speed and memory beside their baselines; BESIDE=<commit>: processor time of documents beside an earlier state
	@scripts/setup.sh test
	@scripts/bench.sh $(if $(BESIDE),--beside $(BESIDE))

sizing: ## processor time and memory of documents, for the table of docs/deployment.md
	@scripts/setup.sh test
	@scripts/bench.sh --sizing

simulate: ## a day of 1,000 workspaces and 200 workers in simulated time, of the real queue and its turns: waits, fairness, what is full first
	$(GO) test ./jobs -count=1 -timeout 60m -v -run TestADayOfManyWorkspaces -simulate

bench-huge: ## a run of 1,500,000 entries on PostgreSQL: until it begins and delivers, how long other writes wait, small runs beside it
	$(GO) test ./jobs -run '^$$' -bench BenchmarkHugeRun -benchtime 1x -huge-entries 1500000 -timeout 30m

bench-lists: ## what lists and the status of runs take on PostgreSQL among 10,000,000 entries
	$(GO) test ./store -run '^$$' -bench BenchmarkLists -benchtime 1x -listed-entries 10000000 -timeout 60m -v

check-pages: ## 500 random reports, 60 hostile ones and every gallery page: text, overflow, page counts, pixels, codes; the canvas beside the preview
	@scripts/setup.sh test
	$(GO) test ./cmd/quire -timeout 40m -v -run 'RandomReportsKeep|GalleryReportsKeep|EveryCode|SamePixels' -generated $(GENERATED) -every-page
	$(GO) test ./cmd/quire -timeout 20m -v -run RandomReportsKeep -generated 60 -hostile -first-seed 1
	$(GO) test ./data -run RandomPipelines -pipelines 500
	$(GO) test ./htmlgen -run TotalsAreThose -totals 1000
	@$(MAKE) --no-print-directory build
	. scripts/node.sh && cd e2e && { [ -d node_modules/puppeteer-core ] || npm ci --no-audit --no-fund --silent; } && QUIRE_PAGES=all node --test canvas.test.mjs

check-together: ## OPERATIONS (default 2000) of BROWSERS (default 3) in one report at once, with lost connections
	@$(MAKE) --no-print-directory build
	. scripts/node.sh && cd e2e && { [ -d node_modules/puppeteer-core ] || npm ci --no-audit --no-fund --silent; } && QUIRE_OPERATIONS=$(or $(OPERATIONS),2000) QUIRE_BROWSERS=$(or $(BROWSERS),3) node --test --test-name-pattern 'several browsers' live.test.mjs

check-pdfua: ## every gallery report as PDF/UA and PDF/A, and ACCESSIBLE generated ones (default 60), judged by veraPDF
	@scripts/setup.sh test
	$(GO) test ./cmd/quire -timeout 30m -v -run ReportsConformToWhatTheySay -every-report -accessible-reports $(ACCESSIBLE)

check-einvoice: ## every kind of electronic invoice in every profile of Factur-X, as XML and in PDF files, judged by the Mustang project's validator and veraPDF
	@scripts/setup.sh test
	$(GO) test ./cmd/quire -count=1 -timeout 20m -v -run 'ElectronicInvoices|TheInvoiceValidatorFindsFaults' -every-invoice

check-office: ## every report of the gallery and OFFICE generated ones (default 60) as Office files, judged by the Open XML SDK, Apache POI and LibreOffice
	@scripts/setup.sh test
	$(GO) test ./cmd/quire -timeout 60m -v -run 'OfficeFilesAreValid|WordFilesAreValid|TheValidatorFindsFaults|NumberFormatsShow|WorkbooksSayWhat|SlidesSayWhat|ReadersFindWhat|OfficeExtremes|OfficeTextsAre|OfficeFilesAreWorked' -every-office-report -office-reports $(OFFICE)
	$(GO) test ./htmlgen -run TotalsOfWorkbooks -totals 1000

office-pictures: ## draw 21 Office files by LibreOffice beside the pages of their PDF, into office-pictures/, to look at
	@scripts/setup.sh test
	@[ -d "$${XDG_CACHE_HOME:-$$HOME/.cache}/quire/officefonts" ] || scripts/officefonts.sh "$${XDG_CACHE_HOME:-$$HOME/.cache}/quire/officefonts"
	@mkdir -p office-pictures
	$(GO) test ./cmd/quire -count=1 -timeout 30m -v -run TestOfficePictures -office-pictures "$(CURDIR)/office-pictures" -office-fonts "$${XDG_CACHE_HOME:-$$HOME/.cache}/quire/officefonts"

check-sso: ## a real Keycloak: signing in and out by OpenID Connect and SAML, groups that change, forged tokens and answers, and set up by the documentation
	@scripts/setup.sh test
	$(GO) test ./cmd/quire -count=1 -timeout 15m -v -run TestSignInAtKeycloak -keycloak
	@$(MAKE) --no-print-directory build
	. scripts/node.sh && cd e2e && { [ -d node_modules/puppeteer-core ] || npm ci --no-audit --no-fund --silent; } && QUIRE_KEYCLOAK=1 node --test administrator.test.mjs

check-traefik: ## a real Traefik in front of the service, at the root of a host and below a path, by the files of the guide
	@scripts/setup.sh traefik
	$(GO) test ./cmd/quire -count=1 -timeout 15m -v -run 'TestBehindProxies/traefik' -traefik

check-faults: ## a run of 1,000 entries while workers, browsers, databases and the network to S3 fail, one while SQLite is killed, 10,000 entries without a browser
	@scripts/setup.sh test
	$(GO) test ./jobs -count=1 -timeout 45m -v -run TestTheLedgerSurvivesKills -faults
	$(GO) test ./cmd/quire -count=1 -timeout 45m -v -run TestARunSurvives -faults

check-power: ## the power of a disk is cut 200 times while the service works; what was acknowledged is there
	@scripts/setup.sh test
	$(GO) test ./cmd/quire -count=1 -timeout 30m -v -run TestPowerCuts -power-cuts 200

check-upgrade: ## this version takes the place of the one before, process by process, and back, under load and a run of 1,000 entries
	@scripts/setup.sh test
	$(GO) test ./cmd/quire -count=1 -timeout 40m -v -run TestRollingUpgrade -upgrade-entries 1000

check-backups: ## twenty times a service that writes at full speed is backed up, thrown away and restored elsewhere
	@scripts/setup.sh test
	$(GO) test ./cmd/quire -count=1 -timeout 40m -v -run TestBackupWhileWriting -backup-rounds 20

check-tenants: ## ten minutes with hostile workspaces beside an honest one, each alone before
	@scripts/setup.sh test
	$(GO) test ./cmd/quire -count=1 -timeout 40m -v -run TestHonestBesideHostile -tenants 10m

fuzz: ## every fuzz target for FUZZTIME (default 10m)
	@scripts/fuzz.sh

soak: ## ten minutes of mixed load; processes, heap and browser memory must come back
	@scripts/setup.sh test
	$(GO) test ./cmd/quire -run TestSoak -soak 10m -timeout 30m -v

packages: ## archives, packages for Debian and Fedora, and the list of parts, into release/
	@scripts/package.sh

check-packages: ## install the Debian package in an empty Debian that systemd boots, print, upgrade, remove; as root
	@scripts/check-packages.sh

check-archive: ## install from the archive in an empty Debian that systemd boots, word for word as the guide says, print, upgrade; as root
	@scripts/check-archive.sh

check-offline: ## gather the packages in an empty Debian, install and print in another one that has no network; as root
	@scripts/check-offline.sh

check-image: ## the steps of the Dockerfile in an empty Debian, without a container engine: start as it says, print; as root
	@scripts/check-image.sh

image: ## build the container image and the list of its parts, into release/; its base images are as pinned
	@scripts/pin-images.sh --check || true
	docker build -t quire .
	@scripts/image-parts.sh quire

pin-images: ## pin the base images of the container image by the digests that the registry has now
	@scripts/pin-images.sh

.PHONY: help demo test lint build run watch site pictures compare golden bench bench-huge bench-lists simulate sizing check-pages check-together check-pdfua check-office office-pictures check-sso check-traefik check-faults check-power check-upgrade check-backups check-tenants fuzz soak packages check-packages check-archive check-offline check-image image pin-images
