# Straw. `make run` and `make test` set up what they need on a fresh machine that has Go, Node with npm, and apt as root.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

GO       ?= go
REVISION := $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
LDFLAGS  := -s -w -X main.revision=$(REVISION)
ADDR     ?= 127.0.0.1:8080
FUZZTIME ?= 10m
JSEXEC   := node $(CURDIR)/wasm/testexec.mjs
# Packages that a js/wasm host runs; the rest is native by nature (the command line, servers, build tools).
JSPKGS   := . ./quant ./gguf ./tokenizer ./chat ./engine/... ./internal/inspect ./internal/session ./internal/promise ./internal/readahead ./internal/blobfs ./internal/httprange ./wasm/...
TARGETS  := linux/amd64 linux/arm64 linux/386 windows/amd64 darwin/arm64

##@ Use
.PHONY: run
run: build ## build everything and serve the page, with the demo model ready, on $(ADDR)
	bin/straw serve --addr $(ADDR)

.PHONY: build
build: page ## bin/straw with the page inside; prints the page's weight
	CGO_ENABLED=0 $(GO) build -trimpath -tags page -ldflags '$(LDFLAGS)' -o bin/straw ./cmd/straw

.PHONY: page
page: web/node_modules/.installed ## web/dist: the page, straw.js, the two wasm programs, the demo model
	# The viewer is built without inlining: 964 KB of brotli instead of 1066, at the same speed within noise.
	GOOS=js GOARCH=wasm $(GO) build -trimpath -gcflags=all=-l -ldflags '-s -w' -o bin/viewer.wasm ./wasm/viewer
	GOOS=js GOARCH=wasm $(GO) build -trimpath -ldflags '-s -w' -o bin/runner.wasm ./wasm/runner
	$(GO) run ./internal/tools/buildweb -viewer bin/viewer.wasm -runner bin/runner.wasm -kernels wasm/kernels -demo internal/demo/sip-tales-3m-Q8_0.gguf

.PHONY: dist
dist: page ## a release in dist/: programs for six systems, the page, its npm package, completions, SBOM, checksums
	$(GO) run ./internal/tools/dist -out dist -ldflags '$(LDFLAGS)'

.PHONY: check-dist
check-dist: dist ## a second release has the same bytes
	$(GO) run ./internal/tools/dist -out .cache/dist -ldflags '$(LDFLAGS)'
	cd .cache/dist && sha256sum --quiet --check $(CURDIR)/dist/SHA256SUMS && cmp SHA256SUMS $(CURDIR)/dist/SHA256SUMS

##@ Work on it
.PHONY: test
test: test-go test-purego test-race test-js test-web test-page test-peers ## every test: native, pure Go, race detector, js/wasm, the page in Chromium, clients of the API

.PHONY: test-go
test-go: ## Go tests, native kernels, all goldens
	$(GO) test ./...

.PHONY: test-purego
test-purego: ## the same without assembly
	$(GO) test -tags purego . ./quant ./engine/... ./internal/session

.PHONY: test-race
test-race: ## the packages that share memory, under the race detector
	$(GO) test -race -short . ./quant ./gguf ./tokenizer ./engine/... ./internal/...

.PHONY: test-js
test-js: ## under GOOS=js in Node
	GOOS=js GOARCH=wasm $(GO) test -short -exec '$(JSEXEC)' $(JSPKGS)

.PHONY: test-arm64
test-arm64: ## the NEON kernels, under qemu-user (not part of test)
	@command -v qemu-aarch64 >/dev/null || { apt-get update -q && apt-get install -y -q --no-install-recommends qemu-user; }
	GOARCH=arm64 CGO_ENABLED=0 $(GO) test -exec qemu-aarch64 . ./quant

.PHONY: test-web
test-web: web/node_modules/.installed ## TypeScript: types and unit tests
	cd web && npm run --silent check && npm test --silent

.PHONY: test-page
test-page: build chromium ## the page in a real Chromium
	$(GO) test -tags e2e -count=1 -timeout 30m ./e2e

.cache/peers: FORCE
	mkdir -p $@
	$(GO) build -trimpath -o $@/straw ./cmd/straw
	$(GO) run ./internal/tools/thinker $@/thinker.gguf
FORCE:

PEERS := STRAW=$(CURDIR)/.cache/peers/straw THINKER=$(CURDIR)/.cache/peers/thinker.gguf DEMO=$(CURDIR)/internal/demo/sip-tales-3m-Q8_0.gguf

.PHONY: test-peers
test-peers: .cache/peers peers/node_modules/.installed ## straw serve with OpenAI's own clients for Go and JavaScript, and with hostile ones
	cd peers && $(PEERS) $(GO) test -count=1 -vet=off . && $(PEERS) node --test openai.test.mjs

.PHONY: test-proxy
test-proxy: .cache/peers ## two instances of straw serve behind nginx (not part of test)
	@command -v nginx >/dev/null || { apt-get update -q && apt-get install -y -q --no-install-recommends nginx-light; }
	$(PEERS) deploy/proxy_test.sh

.PHONY: check
check: check-format check-targets check-static check-web check-fresh ## what CI asks of a change beside the tests

.PHONY: check-format
check-format:
	@out=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$out" ] || { echo "not gofmt'ed:"; echo "$$out"; exit 1; }
	@out=$$($(GO) fix -diff -tags e2e ./... 2>&1; GOOS=js GOARCH=wasm $(GO) fix -diff $(JSPKGS) 2>&1); [ -z "$$out" ] || { echo "go fix would change:"; echo "$$out"; exit 1; }

.PHONY: check-targets
check-targets: ## vet and build for every target
	@for t in $(TARGETS); do \
		echo "vet and build $$t"; \
		GOOS=$${t%/*} GOARCH=$${t#*/} CGO_ENABLED=0 $(GO) vet ./...; \
		GOOS=$${t%/*} GOARCH=$${t#*/} CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/straw; \
	done
	@echo "vet and build js/wasm"; GOOS=js GOARCH=wasm $(GO) vet $(JSPKGS); GOOS=js GOARCH=wasm $(GO) build -o /dev/null ./wasm/viewer; GOOS=js GOARCH=wasm $(GO) build -o /dev/null ./wasm/runner
	$(GO) vet -tags e2e ./e2e
	$(GO) vet -tags purego . ./quant ./engine/...

.PHONY: check-static
check-static: ## staticcheck, and the table of who may import whom
	$(GO) tool staticcheck -tags e2e ./...
	staticcheck=$$($(GO) tool -n staticcheck); GOOS=js GOARCH=wasm $$staticcheck $(JSPKGS)
	$(GO) test -count=1 ./internal/house

.PHONY: check-web
check-web: web/node_modules/.installed
	cd web && npm run --silent check

.PHONY: check-fresh
check-fresh: ## generated files are fresh, go.mod is tidy, the tree is clean
	$(GO) generate ./...
	$(GO) mod tidy -diff
	@out=$$(git status --porcelain); [ -z "$$out" ] || { echo "the tree is not clean:"; echo "$$out"; exit 1; }

.PHONY: bench
bench: bench/node_modules/.installed ## compare with llama.cpp, in turns: ARGS='-threads 2 llama-1b:Q4_K_M', ARGS=all, ARGS=-help
	$(GO) build -trimpath -o .cache/bench/straw ./cmd/straw
	$(GO) run ./bench $(ARGS)

.PHONY: bench-web
bench-web: page chromium ## the page against wllama in Chromium, in turns: MODEL=file.gguf, ARGS='--threads 1 --rounds 2'
	node ../shared/tools/peer-browser.mjs $(MODEL) --straw web/dist --both $(ARGS)

.PHONY: bench-go
bench-go: ## Go benchmarks of the parser, the kernels, the tokenizers and the engine
	$(GO) test -run '^$$' -bench . -benchmem . ./quant ./gguf ./tokenizer ./engine/...

.PHONY: fuzz
fuzz: ## fuzz files, models, templates, grammars, vocabularies and requests, each for FUZZTIME (10m)
	@for t in gguf:FuzzOpen engine:FuzzDescribe engine:FuzzRestore chat:FuzzRender chat/reply:FuzzReply engine/grammar:FuzzSampled tokenizer:FuzzEncode internal/api:FuzzRequest; do \
		echo "== $$t"; \
		$(GO) test -run '^$$' -fuzz "^$${t#*:}$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 5x ./$${t%:*}; \
	done

.PHONY: clean
clean: ## remove what was built
	rm -rf bin dist .cache web/dist web/node_modules bench/node_modules peers/node_modules

##@ Set-up, done as needed
web/node_modules/.installed: web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	touch $@

bench/node_modules/.installed: bench/package-lock.json
	cd bench && npm install --no-save --no-audit --no-fund # not ci: it wants the libraries of other systems in the lock file
	touch $@

peers/node_modules/.installed: peers/package-lock.json
	cd peers && npm ci --no-audit --no-fund
	touch $@

.PHONY: chromium
chromium:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null || { \
		echo "installing chromium"; apt-get update -q && apt-get install -y -q --no-install-recommends chromium; }

.PHONY: help
help: ## this text
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
