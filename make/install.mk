# SPDX-License-Identifier: GPL-3.0-or-later

bindir := $(PREFIX)/bin
libexecdir := $(PREFIX)/libexec/benchutils
libdir := $(PREFIX)/lib/benchutils
includedir := $(PREFIX)/include
sharedir := $(PREFIX)/share/benchutils
mandir := $(PREFIX)/share/man
docdir := $(PREFIX)/share/doc/benchutils
bashdir := $(PREFIX)/share/bash-completion/completions
zshdir := $(PREFIX)/share/zsh/site-functions
fishdir := $(PREFIX)/share/fish/vendor_completions.d
pkgconfigdir := $(PREFIX)/share/pkgconfig

MAN := $(notdir $(wildcard man/*.[1-9]))
# Examples to copy and change; no program reads them at run time.
EXAMPLES := $(patsubst share/examples/%,%,$(wildcard share/examples/*/*))
# The manual and the examples name programs and installed files below /usr/local.
own_paths = sed -i 's,/usr/local/\(bin\|libexec/benchutils\|share/doc/benchutils\)\>,$(PREFIX)/\1,g'

# The commands below do not quote names: with a blank, uninstall would remove other directories.
check_names = bad=$$(printf %s '$(subst ','\'',$(PREFIX)$(DESTDIR))' | LC_ALL=C tr -d 'A-Za-z0-9/._+@=:\200-\377-'; echo .); \
	[ "$$bad" = . ] || { echo "make: PREFIX or DESTDIR has characters that install cannot handle: '$${bad%.}'" >&2; exit 1; }

.PHONY: install uninstall deb
install: all ## install below PREFIX (/usr/local); DESTDIR precedes it
	@$(check_names)
	install -d $(addprefix $(DESTDIR),$(bindir) $(libexecdir) $(libdir) $(sharedir) $(bashdir) $(zshdir) $(fishdir) $(pkgconfigdir))
	install $(BINS) $(DESTDIR)$(bindir)
	install $(HELPERS) $(DESTDIR)$(libexecdir)
	install -m 644 $(ALLOCS) $(HEAP) $(BASICS) $(PLUGINS) $(DESTDIR)$(libdir)
	install -d $(DESTDIR)$(includedir)
	install -m 644 $(addprefix include/,$(HEADERS)) $(DESTDIR)$(includedir)
	sed 's|@PREFIX@|$(PREFIX)|; s|@INCLUDEDIR@|$(includedir)|; s|@PLUGINDIR@|$(libdir)|; s|@VERSION@|$(VERSION)|' \
		make/benchutils.pc.in >$(DESTDIR)$(pkgconfigdir)/benchutils.pc
	chmod 644 $(DESTDIR)$(pkgconfigdir)/benchutils.pc
	for f in $(SHARE); do install -D -m 644 share/$$f $(DESTDIR)$(sharedir)/$$f || exit 1; done
	install -d $(DESTDIR)$(sharedir)/backends
	install -m 644 $(KERNELS) $(DESTDIR)$(sharedir)/backends
	for f in $(EXAMPLES); do \
		case $$f in *.sh) mode=755 ;; *) mode=644 ;; esac; \
		to=$(DESTDIR)$(docdir)/examples/$$f; \
		install -D -m $$mode share/examples/$$f $$to && $(own_paths) $$to || exit 1; \
	done
	for m in $(MAN); do \
		to=$(DESTDIR)$(mandir)/man$${m##*.}/$$m; \
		install -D -m 644 man/$$m $$to && $(own_paths) $$to || exit 1; \
	done
	for t in $(TOOLS); do \
		ln -sf ../../benchutils/completions/benchutils.bash $(DESTDIR)$(bashdir)/$$t; \
		ln -sf ../../benchutils/completions/benchutils.fish $(DESTDIR)$(fishdir)/$$t.fish; \
	done
	ln -sf ../../benchutils/completions/_benchutils $(DESTDIR)$(zshdir)/_benchutils

uninstall: ## remove the installed files
	@$(check_names)
	rm -f $(TOOLS:%=$(DESTDIR)$(bindir)/%) $(TOOLS:%=$(DESTDIR)$(bashdir)/%) \
		$(TOOLS:%=$(DESTDIR)$(fishdir)/%.fish) $(DESTDIR)$(zshdir)/_benchutils
	rm -f $(addprefix $(DESTDIR)$(includedir)/,$(HEADERS)) $(DESTDIR)$(pkgconfigdir)/benchutils.pc
	rm -rf $(DESTDIR)$(libexecdir) $(DESTDIR)$(libdir) $(DESTDIR)$(sharedir) $(DESTDIR)$(docdir)
	for m in $(MAN); do rm -f $(DESTDIR)$(mandir)/man$${m##*.}/$$m; done

deb: deps-deb ## make a Debian package, to install on other machines
	@rm -rf $(BUILD)/deb
	@$(MAKE) -s install DESTDIR=$(BUILD)/deb/root PREFIX=/usr
	@sh make/deb.sh $(BUILD)/deb $(VERSION)
