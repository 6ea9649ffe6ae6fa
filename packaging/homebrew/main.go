// Command homebrew writes the formula of a release for a tap: the template
// beside it with the version, the addresses and the checksums of the archives.
// It opens no connection; the checksums are those that the release build wrote.
//
//	go run ./packaging/homebrew -version 1.2.3 \
//	  -homepage https://HOST/OWNER/offstage -url https://HOST/OWNER/offstage/releases/download/v1.2.3 \
//	  dist/checksums.txt > offstage.rb
package main

import (
	"bufio"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"regexp"
	"strings"
	"text/template"
)

//go:embed offstage.rb.tmpl
var formula string

func main() {
	log.SetFlags(0)
	version := flag.String("version", "", "the `VERSION` of the release, without v")
	url := flag.String("url", "", "the `URL` of the folder that holds the archives")
	home := flag.String("homepage", "", "the `URL` of the project")
	flag.Parse()
	if *version == "" || *url == "" || *home == "" || flag.NArg() != 1 {
		log.Fatal("give -version, -homepage, -url, and the checksums.txt of the release")
	}
	f, err := os.Open(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if err := write(os.Stdout, release{*version, *home, *url}, f); err != nil {
		log.Fatal(err)
	}
}

var sumLine = regexp.MustCompile(`^([0-9a-f]{64})\s+\*?(\S+)$`)

// release is what the formula says beside the sums. The archives lie in the
// folder URL.
type release struct{ Version, Homepage, URL string }

// write gives the formula of r with the sums of checksums: lines of a SHA-256 in
// hexadecimal and a file name.
func write(w io.Writer, r release, checksums io.Reader) error {
	sums := map[string]string{}
	lines := bufio.NewScanner(checksums)
	for lines.Scan() {
		if m := sumLine.FindStringSubmatch(lines.Text()); m != nil {
			sums[m[2]] = m[1]
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read the checksums: %w", err)
	}
	archive := func(os, arch string) string { return fmt.Sprintf("offstage_%s_%s_%s.tar.gz", r.Version, os, arch) }
	t, err := template.New("offstage.rb").Funcs(template.FuncMap{
		"url": func(os, arch string) string { return strings.TrimSuffix(r.URL, "/") + "/" + archive(os, arch) },
		"sum": func(os, arch string) (string, error) {
			if s, ok := sums[archive(os, arch)]; ok {
				return s, nil
			}
			return "", fmt.Errorf("the checksums have no %s", archive(os, arch))
		},
	}).Parse(formula)
	if err != nil {
		return err
	}
	return t.Execute(w, r)
}
