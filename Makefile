# Everything runs in an environment of our own, made on the first call: see CONTRIBUTING.md.
#   ROS=kilted make test      another distro        make PYTHON=python3.12 test      another Python
#   make test ARGS='-k name'  more for pytest

PYTHON ?= python3
ARGS ?=
RUN := $(PYTHON) -m tools.run
PYTEST := $(RUN) python -m pytest

# Tests talk to nobody but themselves; the demo speaks where it is told to.
GIVEN_DOMAIN := $(ROS_DOMAIN_ID)
export ROS_DOMAIN_ID := $(shell $(PYTHON) -c 'import random; print(random.randint(1, 101))')
export ROS_AUTOMATIC_DISCOVERY_RANGE := LOCALHOST

.PHONY: help setup quick test soak clean-cache lint format bench demo docs figures pictures ros \
	check lock clean

help:  # the default: say what there is
	@sed -n 's/^\([a-z-]*\):.*  # \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 20

setup:  # the environment alone
	@$(RUN)

quick:  # the inner loop: nothing compiled, nothing slow
	@NUMBA_DISABLE_JIT=1 $(PYTEST) -q -m 'not jit and not ros and not slow and not soak' $(ARGS)

test: setup clean-cache  # every test, compiled from cold, with real ROS 2
	@$(PYTEST) -q $(ARGS)

soak: setup  # the tests that take hours
	@$(PYTEST) -q -m soak $(ARGS)

clean-cache:  # forget compiled kernels
	@find free_flyer_dynamics test benchmarks examples -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

lint:  # what the linters say, ROS's own included
	@$(RUN) ruff check .
	@$(RUN) ruff format --check .
	@$(RUN) lint-imports
	@$(RUN) mypy
	@$(RUN) ament_flake8 --config tools/flake8.ini
	@$(RUN) ament_pep257

format:  # let ruff mend what it can
	@$(RUN) ruff check --fix .
	@$(RUN) ruff format .

bench:  # write benchmarks/results
	@$(RUN) python -m benchmarks $(ARGS)

demo: export ROS_DOMAIN_ID := $(or $(GIVEN_DOMAIN),$(ROS_DOMAIN_ID))
demo:  # a capture, live, and a page in the browser to watch it in
	@$(RUN) python -m examples.live $(ARGS)

docs:  # the site, into site/; the first time fetches what builds it
	@$(RUN) python -m pip install --quiet --disable-pip-version-check \
		--requirement requirements/docs.lock --constraint requirements/python.lock
	@NO_MKDOCS_2_WARNING=1 $(RUN) python -m mkdocs build --strict  # --quiet would count no warning
	@echo 'open site/index.html'

figures:  # draw the examples' plots for docs/
	@$(RUN) python -m tools.figures

pictures:  # take the viewer's pictures for docs/; needs chromium
	@$(RUN) python -m tools.pictures

# In a workspace: this package and, inside it, the interfaces, which colcon does not find by itself.
# Its results go where no linter looks.
COLCON := colcon --log-base .colcon/log
COLCON_FOLDERS := --build-base .colcon/build --install-base .colcon/install
ros:  # build and test with colcon
	@$(COLCON) build --symlink-install $(COLCON_FOLDERS) --base-paths . free_flyer_interfaces
	@$(COLCON) test $(COLCON_FOLDERS) --base-paths . free_flyer_interfaces \
		--pytest-args -m ros $(wildcard test/ros) test/test_setup.py
	@colcon test-result --test-result-base .colcon/build --verbose

check: lint test $(if $(shell command -v colcon),ros)  # everything above that judges

lock:  # pin anew; needs uv
	@tools/lock.sh

clean:  # start over
	@rm -rf .venv .venv-* .venv.lock .colcon site free_flyer_dynamics.egg-info
