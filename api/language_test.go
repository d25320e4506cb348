package api

import (
	"strings"
	"testing"
)

// testLanguage checks in which language pages come: the user's choice, else the
// browser's, else English.
func testLanguage(t *testing.T, open opener) {
	h := open(t)
	for accepted, words := range map[string][2]string{
		"":                            {`<html lang="en">`, "Email address"},
		"de":                          {`<html lang="de">`, "E-Mail-Adresse"},
		"de-AT,de;q=0.9,en;q=0.8":     {`<html lang="de">`, "Bei Quire anmelden"},
		"fr-CA,fr;q=0.9,de-CH;q=0.5":  {`<html lang="de">`, "Passwort"},
		"en-GB,en;q=0.9,de;q=0.8":     {`<html lang="en">`, "Sign in to Quire"},
		"zh-Hans,ja":                  {`<html lang="en">`, "Password"},
		"*":                           {`<html lang="en">`, "Password"},
		"de;q=high,,;":                {`<html lang="en">`, "Password"},
		strings.Repeat("de-x-y,", 80): {`<html lang="`, "Quire"},
	} {
		h.check(t, scenario{path: "/sign-in", header: header("Accept-Language", accepted), status: 200, has: words[:]})
	}
	wrong := h.post("/sign-in", form("email", "root@example.com", "password", "wrong"), "Accept-Language", "de")
	says(t, wrong, "E-Mail-Adresse oder Passwort ist falsch.")

	german := header("Cookie", h.session("root"), "Accept-Language", "de")
	for path, words := range map[string][]string{
		"/":                                 {"<title>Berichte – Quire</title>", "Neuer Arbeitsbereich", "Zum Inhalt springen", `lang="en">English</button>`},
		"/ws/demo":                          {"Bibliothek", "Vorschau<span class=\"hidden\"> von Plain invoice</span>", "Neuer Bericht", "Wie angeordnet"},
		"/ws/demo/roles":                    {"Rollen von Demo", "Voll für alles. ", "1 Mitglied."},
		"/ws/demo/roles/new":                {"Neue Rolle", "Kein Zugriff", "Datenquellen: Lesen", "Bilder und Dokumente"},
		"/ws/demo/settings":                 {"Der Code <code>demo</code> steht in Adressen und bleibt."},
		"/ws/demo/connections/new?type=api": {"Neue Verbindung: API (HTTP-Dienst)", "Zum Beispiel <code>https://erp.example.com/api</code>", `aria-label="Name von Header 1"`},
		"/ws/demo/files":                    {"zusammen bis ", "Es gibt noch keine Dateien"},
		"/tokens":                           {"Zugriffstokens", "90 Tage", "Bis zum Widerruf"},
		"/password":                         {"mindestens 8 Zeichen"},
		"/users":                            {" · seit ", "Root-Benutzer"},
	} {
		h.check(t, scenario{path: path, header: german, status: 200, has: append(words, `<html lang="de">`)})
	}
	h.check(t, scenario{path: "/ws/nowhere", header: german, status: 404, has: []string{"Nicht gefunden", "Anfrage "}})
	testChosenLanguage(t, h)
}

// testChosenLanguage checks that the choice of a user wins, and leads back.
func testChosenLanguage(t *testing.T, h *house) {
	leads(t, h.sent(t, "root", "/language", 303, "lang", "de", "next", "/ws/demo/roles"), "/ws/demo/roles")
	h.opened(t, "root", "/", `<html lang="de">`, "Sprache des Browsers")
	h.opened(t, "viewer", "/", `<html lang="en">`)
	english := header("Cookie", h.session("root"), "Accept-Language", "en")
	h.check(t, scenario{path: "/", header: english, status: 200, has: []string{"Abmelden"}})
	leads(t, h.sent(t, "root", "/language", 303, "lang", "tlh", "next", "https://evil.example/"), "/")
	h.opened(t, "root", "/", `<html lang="en">`, "Sign out")
}
