package source

import (
	"context"

	"straw/internal/httprange"
)

func openURL(ctx context.Context, arg string, o Options) (*Source, error) {
	fsys, err := httprange.New(ctx, arg, httprange.Options{Token: o.Token})
	if err != nil {
		return nil, err
	}
	info, err := fsys.Stat(fsys.Name())
	if err != nil {
		return nil, err
	}
	return &Source{FS: fsys, Name: fsys.Name(), Size: info.Size(), Label: fsys.Label()}, nil
}
