.DEFAULT_GOAL := help
.PHONY: help run test test-quick test-adapters test-agents test-mcp test-services test-confined test-kernels test-desktops check-platforms coverage bench bench-hook bench-policy burden fuzz lint generate screenshots package clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Install what is missing, build, and start Handraise
	@scripts/setup build
	@scripts/run

test: ## Install what is missing and run every check
	@scripts/setup test
	@scripts/test

test-quick: ## Run the tests that need no desktop
	@scripts/setup test
	@scripts/test-quick

test-desktops: ## Try the application on Xfce, GNOME, KDE Plasma and sway
	@scripts/setup desktops
	@scripts/test-desktops $(DESKTOPS)

check-platforms: ## Check the types for macOS and Windows, tests included
	@scripts/setup build
	@scripts/check-platforms

coverage: ## Print which lines the tests run
	@scripts/setup test
	@scripts/coverage

test-agents: ## Try the agents themselves, without network (AGENTS="codex gemini-cli")
	@scripts/setup agents
	@scripts/test-agents $(AGENTS)

test-adapters: ## Try the adapters with the frameworks themselves
	@scripts/setup adapters
	@scripts/test-adapters

test-mcp: ## Hold the MCP proxy against the newest conformance suite
	@scripts/setup mcp
	@scripts/test-mcp

test-services: ## Try a real decision point and a real collector
	@scripts/setup services
	@scripts/test-services

test-confined: ## Build and test real projects inside walls
	@scripts/setup build
	@scripts/test-confined

test-kernels: ## Try the attacks on the walls on other kernels, in QEMU (KERNELS="6.1 6.12")
	@scripts/setup kernels
	@scripts/test-kernels $(KERNELS)

bench: ## Measure speed and memory
	@scripts/setup test
	@scripts/bench

bench-hook: ## Measure a hook call alone, beside Python and JavaScript
	@scripts/setup build
	@scripts/bench hook

bench-policy: ## Measure decisions alone, beside Cedar and Casbin
	@scripts/setup build
	@scripts/bench policy

burden: ## Count how often each preset asks about calls that agents really made
	@scripts/setup build
	@scripts/burden

fuzz: ## Feed hostile text to what reads it (TARGET=analyser MINUTES=20 KEEP=1)
	@scripts/setup build
	@TARGET="$(TARGET)" MINUTES="$(MINUTES)" KEEP="$(KEEP)" scripts/fuzz

lint: ## Check formatting, types, lints, documentation and dependencies
	@scripts/setup lint
	@scripts/lint

generate: ## Write the generated files anew
	@scripts/setup build
	@scripts/generate

screenshots: ## Make a picture of every view in every look and language (ui/gallery)
	@scripts/setup test
	@scripts/screenshots

package: ## Build the .deb and the .rpm
	@scripts/setup build
	@scripts/package

clean: ## Delete everything that was built
	cargo clean
	rm -rf ui/dist ui/dist-fixture ui/src/paraglide src-tauri/gen sdk/typescript/dist sdk/typescript/build sdk/typescript/adapters/*/dist
