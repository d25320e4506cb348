package deliver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rclone/rclone/fs"
)

// Some drives keep several folders of one name in one place. When two workers
// find none and make one each, both would write into their own. So a folder is
// taken by its ID, the oldest of the name is the one that counts, and who made
// a younger one removes it before anything is written into it.

// idFolders makes and finds folders by ID; rclone's Google Drive is one.
type idFolders struct {
	drive fs.Commander
	maker interface {
		CreateDir(ctx context.Context, parent, name string) (id string, err error)
	}
	merge   func(ctx context.Context, dirs []fs.Directory) error
	between time.Duration // two looks for a new folder that is not listed yet
}

func newIDFolders(drive fs.Fs) (*idFolders, error) {
	f := &idFolders{merge: drive.Features().MergeDirs, between: 500 * time.Millisecond}
	var asks, makes bool
	f.drive, asks = drive.(fs.Commander)
	f.maker, makes = drive.(interface {
		CreateDir(ctx context.Context, parent, name string) (string, error)
	})
	if !asks || !makes || f.merge == nil {
		return nil, permanent("this drive's folders cannot be told apart")
	}
	return f, nil
}

// find gives the ID of a folder below another, and makes what is missing.
func (f *idFolders) find(ctx context.Context, parent, folder string) (string, error) {
	for _, name := range strings.Split(folder, "/") {
		if name == "" {
			continue
		}
		id, err := f.child(ctx, parent, name)
		if err != nil {
			return "", err
		}
		parent = id
	}
	return parent, nil
}

func (f *idFolders) child(ctx context.Context, parent, name string) (string, error) {
	found, err := f.list(ctx, parent, name)
	if err != nil {
		return "", err
	}
	if len(found) > 0 {
		return found[0].target(), nil
	}
	own, err := f.maker.CreateDir(ctx, parent, name)
	if err != nil {
		return "", err
	}
	return f.settle(ctx, parent, name, own)
}

// looks is how often a new folder is looked for: a drive may list it late.
const looks = 10

// settle decides which of the folders of a name counts, now that there is one
// of our own.
func (f *idFolders) settle(ctx context.Context, parent, name, own string) (string, error) {
	for range looks {
		found, err := f.list(ctx, parent, name)
		if err != nil {
			return "", err
		}
		if slices.ContainsFunc(found, func(x idFolder) bool { return x.ID == own }) {
			if first := found[0]; first.ID != own {
				return first.target(), f.remove(ctx, first.target(), own)
			}
			return own, nil
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(f.between):
		}
	}
	return "", temporary("the new folder %s is not listed", plain(name))
}

// remove removes a folder of ours; should somebody have put something into it,
// that moves into the one that counts.
func (f *idFolders) remove(ctx context.Context, counts, own string) error {
	return f.merge(ctx, []fs.Directory{fs.NewDir("", time.Time{}).SetID(counts), fs.NewDir("", time.Time{}).SetID(own)})
}

// idFolder is a folder, or a shortcut to one.
type idFolder struct {
	ID       string    `json:"id"`
	Created  time.Time `json:"createdTime"`
	Shortcut *struct {
		ID   string `json:"targetId"`
		Type string `json:"targetMimeType"`
	} `json:"shortcutDetails"`
}

func (f *idFolder) target() string {
	if f.Shortcut != nil {
		return f.Shortcut.ID
	}
	return f.ID
}

const (
	driveFolder   = "application/vnd.google-apps.folder"
	driveShortcut = "application/vnd.google-apps.shortcut"
)

// list gives the folders of a name in another, the oldest first.
func (f *idFolders) list(ctx context.Context, parent, name string) ([]idFolder, error) {
	quote := strings.NewReplacer(`\`, `\\`, `'`, `\'`)
	query := fmt.Sprintf("'%s' in parents and name='%s' and (mimeType='%s' or mimeType='%s') and trashed=false", quote.Replace(parent), quote.Replace(name), driveFolder, driveShortcut)
	answer, err := f.drive.Command(ctx, "query", []string{query}, nil)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	var found []idFolder
	if err := json.Unmarshal(text, &found); err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(x idFolder) bool { return x.Shortcut != nil && x.Shortcut.Type != driveFolder })
	slices.SortFunc(found, func(a, b idFolder) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	return found, nil
}

// openByID opens a folder of a drive that keeps folders by ID.
func (c *cloud) openByID(ctx context.Context, d *delivery, way *tunnel, folder string) (fs.Fs, error) {
	top, err := c.open(ctx, d, way, "")
	if err != nil {
		return nil, err
	}
	folders, err := newIDFolders(top)
	if err != nil {
		return nil, err
	}
	id, err := folders.find(rcloneContext(ctx, d, way), cmp.Or(c.options["root_folder_id"], c.options["team_drive"], "root"), folder)
	if err != nil {
		return nil, err
	}
	c.options["root_folder_id"] = id
	return c.open(ctx, d, way, "")
}

// wholeFolder moves the folder of a delivery's settings to that of the
// connection.
func wholeFolder(folder string, set *fileSettings) (string, error) {
	below, err := SafePath(set.Path)
	set.Path = ""
	return path.Join(folder, below), err
}
