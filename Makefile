.DEFAULT_GOAL := help
.PHONY: help run test test-agents bench bench-hook bench-policy burden fuzz lint generate package clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## Install what is missing, build, and start Handraise
	@scripts/setup build
	@scripts/run

test: ## Install what is missing and run every check
	@scripts/setup test
	@scripts/test

test-agents: ## Try the agents themselves, without network (AGENTS="codex gemini-cli")
	@scripts/setup agents
	@scripts/test-agents $(AGENTS)

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

fuzz: ## Feed hostile text to what reads it (TARGET=analyser MINUTES=20)
	@scripts/setup build
	@TARGET="$(TARGET)" MINUTES="$(MINUTES)" scripts/fuzz

lint: ## Check formatting, types and lints
	@scripts/setup build
	@scripts/lint

generate: ## Write the generated files anew
	@scripts/setup build
	@scripts/generate

package: ## Build the .deb and the .rpm
	@scripts/setup build
	@scripts/package

clean: ## Delete everything that was built
	cargo clean
	rm -rf ui/dist ui/dist-fixture ui/src/paraglide src-tauri/gen sdk/typescript/dist sdk/typescript/build
