package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// public are the folders of the packages that other modules may use.
var public = []string{".", "quant", "gguf", "tokenizer", "chat", "engine"}

// TestComments fails for an exported name without a comment in a public package, for any platform. A group has one
// comment together; constants of a type of their own have that type's. Methods that only satisfy a well-known interface
// need none.
func TestComments(t *testing.T) {
	const root = "../.."
	files := token.NewFileSet()
	checked := 0
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		top, _, deep := strings.Cut(filepath.ToSlash(rel), "/")
		if !deep && !e.IsDir() {
			top = "."
		}
		switch {
		case e.IsDir() && (e.Name() == "testdata" || !slices.Contains(public, top)):
			return filepath.SkipDir
		case e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		checked++
		for _, d := range f.Decls {
			for _, name := range bare(d) {
				t.Errorf("%s: %s has no comment", files.Position(name.Pos()), name.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked < 100 {
		t.Errorf("only %d files were looked at", checked)
	}
}

// wellKnown methods say by their names and types what they do.
var wellKnown = map[string]bool{"Error": true, "Unwrap": true, "String": true}

// bare are the exported names that a declaration leaves without a comment.
func bare(d ast.Decl) (names []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && (d.Recv == nil || receiver(d).IsExported() && !wellKnown[d.Name.Name]) {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		if first, ok := d.Specs[0].(*ast.ValueSpec); ok && d.Lparen.IsValid() && first.Type != nil && d.Tok == token.CONST {
			return nil
		}
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
					names = append(names, s.Name)
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
						names = append(names, n)
					}
				}
			}
		}
	}
	return names
}

// receiver is the type that a method belongs to.
func receiver(d *ast.FuncDecl) *ast.Ident {
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x
		default:
			return ast.NewIdent("")
		}
	}
}
