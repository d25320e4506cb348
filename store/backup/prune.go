package backup

import (
	"context"
	"strings"

	"github.com/quire-reports/quire/store"
)

// prune keeps the newest backups of a place that are of the same as a new one and
// removes the older of these, with the contents that no other names and with what
// was left of unfinished ones.
func prune(ctx context.Context, place *store.Contents, keep int, of *Manifest) (removed int, err error) {
	all, err := List(ctx, place)
	if err != nil {
		return 0, err
	}
	var stay, old []*Manifest
	for _, m := range all {
		if m.alike(of) {
			keep--
		}
		if m.alike(of) && keep < 0 {
			old = append(old, m)
		} else {
			stay = append(stay, m)
		}
	}
	if len(old) == 0 {
		return 0, nil
	}
	named := map[string]bool{}
	kept := map[string]bool{}
	for _, m := range stay {
		kept[m.folder()] = true
		if err := m.listed(ctx, place, func(c contentCopy) error {
			named[contentsFolder+c.Key] = true
			return nil
		}); err != nil {
			return 0, err
		}
	}
	for _, m := range old { // from now on they are no backups
		if err := place.Delete(ctx, m.folder()+manifestFile); err != nil {
			return removed, err
		}
		removed++
	}
	var gone []string
	if err := place.List(ctx, "", func(l store.Listed) error {
		parts := strings.SplitN(l.Key, "/", 3)
		switch {
		case strings.HasPrefix(l.Key, contentsFolder) && !named[l.Key],
			len(parts) == 3 && parts[0] == "backups" && !kept[parts[0]+"/"+parts[1]+"/"]:
			gone = append(gone, l.Key)
		}
		return nil
	}); err != nil {
		return removed, err
	}
	for _, key := range gone {
		if err := place.Delete(ctx, key); err != nil {
			return removed, err
		}
	}
	return removed, nil
}
