package backup

import (
	"context"
	"strings"

	"github.com/quire-reports/quire/store"
)

// prune keeps the newest backups of a place and removes the others, with the
// contents that only they name and with what was left of unfinished ones.
func prune(ctx context.Context, place *store.Contents, keep int) (removed int, err error) {
	all, err := List(ctx, place)
	if err != nil || len(all) <= keep {
		return 0, err
	}
	named := map[string]bool{}
	kept := map[string]bool{}
	for _, m := range all[:keep] {
		kept[m.folder()] = true
		if err := m.listed(ctx, place, func(c contentCopy) error {
			named[contentsFolder+c.Key] = true
			return nil
		}); err != nil {
			return 0, err
		}
	}
	for _, m := range all[keep:] { // from now on they are no backups
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
