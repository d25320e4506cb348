package deliver

// Types are the kinds of destinations, in the order people see them.
func Types() []Type {
	return []Type{
		email,
		sftpServer,
		objectStorage,
		webDAV,
		googleDrive,
		oneDrive,
		dropboxDrive,
		localVolume,
		webhook,
	}
}

// Find is the kind of destination of a name.
func Find(name string) (Type, bool) {
	for _, t := range Types() {
		if t.Name == name {
			return t, true
		}
	}
	return Type{}, false
}
