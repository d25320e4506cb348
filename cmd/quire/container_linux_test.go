package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/quire-reports/quire/internal/judges"
)

// containerVariable makes the test's program one that turns itself into what
// runs in a container; its value is a container in JSON.
const containerVariable = "QUIRE_TEST_CONTAINER"

// container is what a runtime makes of the image, as far as the kernel is
// concerned: a root file system that is read-only, the volumes, a user, a filter
// of system calls.
type container struct {
	Volumes  []string
	User     int
	Denied   []uint32 // system calls that get EPERM
	Confined bool     // as by Docker's own rules: no namespaces, no clone3
}

// containerMain is called first in TestMain.
func containerMain() {
	text := os.Getenv(containerVariable)
	if text == "" {
		return
	}
	runtime.LockOSThread() // the filter is the thread's, and execve is its
	var c container
	err := json.Unmarshal([]byte(text), &c)
	if err == nil {
		err = c.enter()
	}
	if err == nil {
		err = syscall.Exec(os.Args[1], os.Args[1:], slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, containerVariable) }))
	}
	fmt.Fprintln(os.Stderr, "container:", err)
	os.Exit(125)
}

func (c *container) enter() error {
	for _, volume := range c.Volumes {
		if err := unix.Mount(volume, volume, "", unix.MS_BIND, ""); err != nil {
			return fmt.Errorf("volume %s: %w", volume, err)
		}
	}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return fmt.Errorf("read-only: %w", err)
	}
	for _, volume := range append([]string{"/proc"}, c.Volumes...) {
		if err := unix.MountSetattr(unix.AT_FDCWD, volume, 0, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}); err != nil {
			return fmt.Errorf("volume %s: %w", volume, err)
		}
	}
	if err := unix.Mount("shm", "/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=64m,mode=1777"); err != nil {
		return fmt.Errorf("/dev/shm: %w", err)
	}
	if err := syscall.Setgroups(nil); err != nil {
		return err
	}
	if err := syscall.Setgid(c.User); err != nil {
		return err
	}
	if err := syscall.Setuid(c.User); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	filter := c.filter()
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
}

// namespaces are the flags of clone that Docker's rules deny.
const namespaces = 0x7E020000

func (c *container) filter() []unix.SockFilter {
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	jump := func(code uint16, k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | code | unix.BPF_K, K: k, Jt: yes, Jf: no}
	}
	end := func(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }
	refuse := func(errno syscall.Errno) unix.SockFilter { return end(unix.SECCOMP_RET_ERRNO | uint32(errno)) }
	f := []unix.SockFilter{load(0)}
	denied := c.Denied
	if c.Confined {
		denied = append(slices.Clone(denied), unix.SYS_UNSHARE)
	}
	for _, nr := range denied {
		f = append(f, jump(unix.BPF_JEQ, nr, 0, 1), refuse(syscall.EPERM))
	}
	if c.Confined {
		f = append(f, jump(unix.BPF_JEQ, unix.SYS_CLONE3, 0, 1), refuse(syscall.ENOSYS))
		f = append(f, jump(unix.BPF_JEQ, unix.SYS_CLONE, 0, 3), load(16), jump(unix.BPF_JSET, namespaces, 0, 1), refuse(syscall.EPERM))
	}
	return append(f, end(unix.SECCOMP_RET_ALLOW))
}

// deniedNames are the system calls that deploy/seccomp.json denies.
func deniedNames(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../deploy/seccomp.json")
	if err != nil {
		t.Fatal(err)
	}
	var profile struct {
		DefaultAction string
		Syscalls      []struct {
			Names    []string
			Action   string
			ErrnoRet syscall.Errno
		}
	}
	if err := json.Unmarshal(text, &profile); err != nil {
		t.Fatal(err)
	}
	if profile.DefaultAction != "SCMP_ACT_ALLOW" || len(profile.Syscalls) != 1 || profile.Syscalls[0].Action != "SCMP_ACT_ERRNO" || profile.Syscalls[0].ErrnoRet != syscall.EPERM {
		t.Fatalf("the profile is not as this test reads it: %+v", profile)
	}
	return profile.Syscalls[0].Names
}

// built is what the Dockerfile says of running it.
type built struct {
	user    int
	env     []string
	volumes []string
	health  []string
}

func readImage(t *testing.T) *built {
	t.Helper()
	text, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	line := func(pattern string) string {
		found := regexp.MustCompile(`(?m)^` + pattern + `$`).FindStringSubmatch(string(text))
		if found == nil {
			t.Fatalf("the Dockerfile has no line %q", pattern)
		}
		return found[1]
	}
	list := func(text string) (list []string) {
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			t.Fatal(err)
		}
		return list
	}
	i := &built{env: strings.Fields(line(`ENV (.*)`)), volumes: list(line(`VOLUME (.*)`)), health: list(line(`HEALTHCHECK .* CMD (.*)`))[1:]}
	if i.user, err = strconv.Atoi(line(`USER (\d+):\d+`)); err != nil || i.user == 0 {
		t.Fatalf("the user is %d, %v", i.user, err)
	}
	if command := list(line(`CMD (.*)`)); !slices.Equal(command, []string{"serve"}) {
		t.Fatalf("the command is %q", command)
	}
	return i
}

// runner runs commands of the image.
type runner struct {
	t       *testing.T
	program *program
	env     []string
	home    string
}

func (r *runner) command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{r.program.binary}, args...)...)
	cmd.Dir, cmd.Env = r.home, r.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	return cmd
}

func (r *runner) run(args ...string) string {
	r.t.Helper()
	out, err := r.command(args...).CombinedOutput()
	if err != nil {
		r.t.Fatalf("quire %q: %v: %s", args, err, out)
	}
	return string(out)
}

// The image prints below the rules that Docker and Kubernetes have of their own,
// as a user who is a number, on a file system of which only the volumes can be
// written; and with the sandbox below the profile of the repository.
func TestImagePrints(t *testing.T) {
	judges.Slow(t)
	if os.Geteuid() != 0 {
		t.Skip("takes root, who makes the container")
	}
	img := readImage(t)
	var denied []uint32
	for _, name := range deniedNames(t) {
		nr, ok := systemCalls[name]
		if !ok {
			t.Fatalf("deploy/seccomp.json: this test does not know %q", name)
		}
		denied = append(denied, nr)
	}
	p := newProgram(t)
	for _, test := range []struct {
		name, sandbox string
		confined      bool
	}{{"runtime's own rules", "off: ", true}, {"rules of the repository", "on\n", false}} {
		t.Run(test.name, func(t *testing.T) {
			root, err := os.MkdirTemp("", "image")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(root) })
			for _, dir := range []string{root, filepath.Dir(filepath.Dir(p.binary)), filepath.Dir(p.binary)} {
				if err := os.Chmod(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			c := container{User: img.user, Denied: denied, Confined: test.confined}
			for _, volume := range img.volumes {
				dir := root + volume
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Chown(dir, img.user, img.user); err != nil {
					t.Fatal(err)
				}
				c.Volumes = append(c.Volumes, dir)
			}
			text, err := json.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			service, monitors := freeAddress(t), freeAddress(t)
			r := &runner{t: t, program: p, home: c.Volumes[0], env: []string{
				"PATH=" + os.Getenv("PATH"), containerVariable + "=" + string(text),
				"Address=" + service, "Metrics__Address=" + monitors,
			}}
			for _, variable := range img.env {
				name, value, _ := strings.Cut(variable, "=")
				r.env = append(r.env, name+"="+root+value)
			}
			r.prints(service, img.health, test.sandbox)
		})
	}
}

func (r *runner) prints(address string, health []string, sandbox string) {
	t := r.t
	report := filepath.Join(r.home, "a.json")
	if err := os.WriteFile(report, []byte(`{"version":1,"name":"a","pages":[{"id":1,"name":"p","elements":[{"type":"text","props":{"text":"x"}}]}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	r.run("render", report, "-o", filepath.Join(r.home, "a.pdf"))
	if made, err := os.ReadFile(filepath.Join(r.home, "a.pdf")); err != nil || !bytes.HasPrefix(made, []byte("%PDF-")) {
		t.Fatalf("no file: %v", err)
	}
	if out, err := r.command("render", report, "-o", "/a.pdf").CombinedOutput(); err == nil || !strings.Contains(string(out), "read-only") {
		t.Fatalf("the root file system can be written: %v: %s", err, out)
	}
	var log bytes.Buffer
	serving := r.command("serve")
	serving.Stderr = &log
	if err := serving.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = serving.Process.Signal(syscall.SIGTERM)
		_ = serving.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	}()
	for end := time.Now().Add(60 * time.Second); r.command(health...).Run() != nil; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the service does not answer")
		}
	}
	token := strings.TrimSpace(r.run("token", "create", "--user", "root@localhost", "--name", "test"))
	req, err := http.NewRequest("GET", "http://"+address+"/api/v1/ws/demo/reports/invoice/pdf", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "application/pdf" {
		t.Errorf("the service answers %s", resp.Status)
	}
	if out := r.run("health"); !strings.Contains(out, "browser: ok\n") || !strings.Contains(out, "sandbox: "+sandbox) {
		t.Errorf("health:\n%s", out)
	}
}

// systemCalls are the numbers of those that deploy/seccomp.json may name.
var systemCalls = map[string]uint32{
	"acct": unix.SYS_ACCT, "add_key": unix.SYS_ADD_KEY, "bpf": unix.SYS_BPF, "clock_adjtime": unix.SYS_CLOCK_ADJTIME,
	"clock_settime": unix.SYS_CLOCK_SETTIME, "delete_module": unix.SYS_DELETE_MODULE, "fanotify_init": unix.SYS_FANOTIFY_INIT, "finit_module": unix.SYS_FINIT_MODULE,
	"fsconfig": unix.SYS_FSCONFIG, "fsmount": unix.SYS_FSMOUNT, "fsopen": unix.SYS_FSOPEN, "fspick": unix.SYS_FSPICK,
	"init_module": unix.SYS_INIT_MODULE, "io_uring_enter": unix.SYS_IO_URING_ENTER, "io_uring_register": unix.SYS_IO_URING_REGISTER, "io_uring_setup": unix.SYS_IO_URING_SETUP,
	"kcmp": unix.SYS_KCMP, "kexec_file_load": unix.SYS_KEXEC_FILE_LOAD, "kexec_load": unix.SYS_KEXEC_LOAD, "keyctl": unix.SYS_KEYCTL,
	"lookup_dcookie": unix.SYS_LOOKUP_DCOOKIE, "mount": unix.SYS_MOUNT, "mount_setattr": unix.SYS_MOUNT_SETATTR, "move_mount": unix.SYS_MOVE_MOUNT,
	"move_pages": unix.SYS_MOVE_PAGES, "name_to_handle_at": unix.SYS_NAME_TO_HANDLE_AT, "open_by_handle_at": unix.SYS_OPEN_BY_HANDLE_AT, "open_tree": unix.SYS_OPEN_TREE,
	"perf_event_open": unix.SYS_PERF_EVENT_OPEN, "pivot_root": unix.SYS_PIVOT_ROOT, "process_madvise": unix.SYS_PROCESS_MADVISE, "process_vm_readv": unix.SYS_PROCESS_VM_READV,
	"process_vm_writev": unix.SYS_PROCESS_VM_WRITEV, "ptrace": unix.SYS_PTRACE, "quotactl": unix.SYS_QUOTACTL, "quotactl_fd": unix.SYS_QUOTACTL_FD,
	"reboot": unix.SYS_REBOOT, "request_key": unix.SYS_REQUEST_KEY, "setdomainname": unix.SYS_SETDOMAINNAME, "sethostname": unix.SYS_SETHOSTNAME,
	"setns": unix.SYS_SETNS, "settimeofday": unix.SYS_SETTIMEOFDAY, "swapoff": unix.SYS_SWAPOFF, "swapon": unix.SYS_SWAPON,
	"syslog": unix.SYS_SYSLOG, "umount2": unix.SYS_UMOUNT2, "userfaultfd": unix.SYS_USERFAULTFD,
	"vhangup": unix.SYS_VHANGUP,
}
