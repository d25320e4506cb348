package store

// Action is what was done: the kind of thing, a dot, and the deed.
type Action string

// The actions.
const (
	AuditSignedIn         Action = "session.signed_in"
	AuditSignInFailed     Action = "session.sign_in_failed"
	AuditSessionEnded     Action = "session.ended"
	AuditUserCreated      Action = "user.created"
	AuditUserBlocked      Action = "user.blocked"
	AuditUserUnblocked    Action = "user.unblocked"
	AuditPasswordSet      Action = "user.password_set"
	AuditPasswordLink     Action = "user.password_link_made"
	AuditFactorOn         Action = "user.second_factor_on"
	AuditFactorOff        Action = "user.second_factor_off"
	AuditCodesMade        Action = "user.recovery_codes_made"
	AuditCodeUsed         Action = "user.recovery_code_used"
	AuditPasskeyAdded     Action = "user.passkey_added"
	AuditPasskeyRemoved   Action = "user.passkey_removed"
	AuditPasskeyCloned    Action = "user.passkey_suspect"
	AuditUserLinked       Action = "user.linked"
	AuditUserRoot         Action = "user.root_changed"
	AuditDevicesForgotten Action = "user.devices_forgotten"
	AuditUserChanged      Action = "user.changed"
	AuditUserDeleted      Action = "user.deleted"
	AuditGroupCreated     Action = "group.created"
	AuditGroupChanged     Action = "group.changed"
	AuditGroupDeleted     Action = "group.deleted"
	AuditGroupJoined      Action = "group.joined"
	AuditGroupLeft        Action = "group.left"
	AuditGroupRole        Action = "group.role_changed"
	AuditServiceCreated   Action = "service_account.created"
	AuditServiceChanged   Action = "service_account.changed"
	AuditServiceDeleted   Action = "service_account.deleted"
	AuditTokenCreated     Action = "token.created"
	AuditTokenRevoked     Action = "token.revoked"
	AuditProvisioningMade Action = "provisioning_token.created"
	AuditProvisioningGone Action = "provisioning_token.revoked"
	AuditNonceCreated     Action = "nonce.created"
	AuditPreviewOpened    Action = "preview.opened"
	AuditWorkspaceCreated Action = "workspace.created"
	AuditWorkspaceChanged Action = "workspace.changed"
	AuditWorkspaceDeleted Action = "workspace.deleted"
	AuditWorkspaceLoaded  Action = "workspace.imported"
	AuditWorkspaceTaken   Action = "workspace.exported"
	AuditWorkspaceBack    Action = "workspace.restored"
	AuditInvited          Action = "invitation.made"
	AuditInvitationGone   Action = "invitation.withdrawn"
	AuditInvitationTaken  Action = "invitation.taken"
	AuditMemberAdded      Action = "member.added"
	AuditMemberChanged    Action = "member.changed"
	AuditMemberRemoved    Action = "member.removed"
	AuditRoleCreated      Action = "role.created"
	AuditRoleChanged      Action = "role.changed"
	AuditRoleDeleted      Action = "role.deleted"
	AuditConnectionSaved  Action = "connection.saved"
	AuditConnectionGone   Action = "connection.deleted"
	AuditFileSigned       Action = "connection.signed"
	AuditFileSaved        Action = "file.saved"
	AuditFileDeleted      Action = "file.deleted"
	AuditReportCreated    Action = "report.created"
	AuditReportSaved      Action = "report.saved"
	AuditReportDeleted    Action = "report.deleted"
	AuditReportRestored   Action = "report.restored"
	AuditReportMoved      Action = "report.moved"
	AuditReportShared     Action = "report.access_changed"
	AuditVersionNamed     Action = "report.version_named"
	AuditCommentMade      Action = "comment.made"
	AuditCommentChanged   Action = "comment.changed"
	AuditCommentResolved  Action = "comment.resolved"
	AuditCommentReopened  Action = "comment.reopened"
	AuditCommentDeleted   Action = "comment.deleted"
	AuditCommentRestored  Action = "comment.restored"
	AuditLibraryCreated   Action = "library.created"
	AuditLibrarySaved     Action = "library.saved"
	AuditLibraryOrdered   Action = "library.ordered"
	AuditLibraryDeleted   Action = "library.deleted"
	AuditLibraryRestored  Action = "library.restored"
	AuditDataUploaded     Action = "data.uploaded"
	AuditExportMade       Action = "export.made"
	AuditExportStarted    Action = "export.started"
	AuditExportCancelled  Action = "export.cancelled"
	AuditExportDownloaded Action = "export.downloaded"
	AuditRunStarted       Action = "run.started"
	AuditRunCancelled     Action = "run.cancelled"
	AuditRunDelivered     Action = "run.delivered"
	AuditRunDownloaded    Action = "run.downloaded"
	AuditEntryDecided     Action = "run.entry_decided"
	AuditDeliverySent     Action = "delivery.sent"
	AuditDeliveryFailed   Action = "delivery.failed"
	AuditDeliverySettled  Action = "delivery.settled"
	AuditKeysRotated      Action = "keys.rotated"
	AuditServiceStarted   Action = "service.started"
)

// ActionText is an action in words.
type ActionText struct {
	Action Action
	Label  string // short, as a list shows it
	Help   string // when it is recorded
}

// Actions lists every action.
func Actions() []ActionText {
	return []ActionText{
		{AuditSignedIn, "Signed in", "A person signed in, with a password, with the passkey or at the provider that the detail names."},
		{AuditSignInFailed, "Sign-in failed", "Somebody tried to sign in and was refused; the actor is the address that was entered, where it is one."},
		{AuditSessionEnded, "Signed out", "A session, or all of a person's, was ended."},
		{AuditUserCreated, "Account made", "An account was made."},
		{AuditUserBlocked, "Account blocked", "An account was blocked."},
		{AuditUserUnblocked, "Account unblocked", "A blocked account was opened again."},
		{AuditPasswordSet, "Password set", "A password was changed, by its owner, by a link or by a root user."},
		{AuditFactorOn, "Second factor set up", "Somebody set up an authenticator for their account."},
		{AuditFactorOff, "Second factor taken away", "The authenticator of an account was switched off by its owner, or all of its second factors taken away, by a root user or a command."},
		{AuditCodesMade, "Recovery codes made", "Somebody made new recovery codes; those of before ended."},
		{AuditCodeUsed, "Recovery code used", "A recovery code was used in place of another second factor; the detail says how many are left."},
		{AuditPasskeyAdded, "Passkey added", "Somebody made a passkey for their account; the detail has its name."},
		{AuditPasskeyRemoved, "Passkey removed", "A passkey was removed by its owner."},
		{AuditPasskeyCloned, "Passkey refused", "The count of a passkey went back, so that there may be a copy of it: it signs nobody in any more."},
		{AuditPasswordLink, "Link for a password made", "A link to set a password was made: by a root user, or as somebody who is not signed in asked for it to be mailed to the account."},
		{AuditUserLinked, "Account linked", "An account that was there before was opened to the person of a provider who has its verified address."},
		{AuditUserRoot, "Root rights changed", "The groups of a provider made an account a root user, or none any more."},
		{AuditDevicesForgotten, "Browsers forgotten", "The browsers that an account is known in became strangers."},
		{AuditUserChanged, "Account changed", "The name, the address, the language, the time zone, the picture or who manages an account was changed; the detail says which."},
		{AuditUserDeleted, "Account deleted", "An account was deleted; what it has made stays."},
		{AuditGroupCreated, "Group made", "A group of people was made, by a root user or by the provider that the detail names."},
		{AuditGroupChanged, "Group changed", "A group of people got another name, or was taken over from its provider."},
		{AuditGroupDeleted, "Group deleted", "A group of people was deleted; the detail says which roles it had."},
		{AuditGroupJoined, "Put into a group", "Somebody was put into the group that the detail names."},
		{AuditGroupLeft, "Taken out of a group", "Somebody was taken out of the group that the detail names."},
		{AuditGroupRole, "Role of a group changed", "A group got another role in a workspace, or none any more."},
		{AuditServiceCreated, "Service account made", "A service account of a workspace was made; the detail has its role."},
		{AuditServiceChanged, "Service account changed", "A service account got another name or role, or was blocked or unblocked."},
		{AuditServiceDeleted, "Service account deleted", "A service account was deleted, and its access tokens with it."},
		{AuditTokenCreated, "Access token made", "An access token was made, for a person or a service account."},
		{AuditTokenRevoked, "Access token revoked", "An access token was revoked."},
		{AuditProvisioningMade, "Token for provisioning made", "A root user made a token by which a program provisions accounts and groups; the detail says for which provider."},
		{AuditProvisioningGone, "Token for provisioning revoked", "A token for provisioning was revoked; what was provisioned stays."},
		{AuditNonceCreated, "Nonce made", "A nonce for an embedded preview was made; the detail has its scope."},
		{AuditPreviewOpened, "Preview opened", "A nonce was used: somebody outside sees a preview."},
		{AuditWorkspaceCreated, "Workspace made", "A workspace was made."},
		{AuditWorkspaceChanged, "Workspace changed", "The name or description of a workspace was changed."},
		{AuditWorkspaceDeleted, "Workspace deleted", "A workspace was deleted."},
		{AuditWorkspaceLoaded, "Workspace imported", "A bundle was imported into a workspace."},
		{AuditWorkspaceTaken, "Workspace exported", "A workspace was taken out as a bundle in the browser, with all its reports and queries."},
		{AuditWorkspaceBack, "Workspace restored", "A workspace was brought in from a backup, with its runs and connections; the detail says of when."},
		{AuditInvited, "Invitation made", "Somebody was invited into a workspace, or once more; the detail has the role."},
		{AuditInvitationGone, "Invitation withdrawn", "An invitation was withdrawn."},
		{AuditInvitationTaken, "Invitation taken", "Who was invited came in; the detail says who had invited."},
		{AuditMemberAdded, "Member added", "A user got a role in a workspace."},
		{AuditMemberChanged, "Role of a member changed", "A member got another role."},
		{AuditMemberRemoved, "Member removed", "A member was taken out of a workspace."},
		{AuditRoleCreated, "Role made", "A role was made."},
		{AuditRoleChanged, "Role changed", "What a role may was changed; the detail has its levels."},
		{AuditRoleDeleted, "Role deleted", "A role was deleted."},
		{AuditConnectionSaved, "Connection saved", "A connection was made or changed; never what it holds."},
		{AuditConnectionGone, "Connection deleted", "A connection was deleted."},
		{AuditFileSigned, "File signed", "A PDF file was signed with the key of a connection; the detail has the report, the certificate, and of a job the run and the entry. Who asked for it is the actor; nobody is where a schedule did."},
		{AuditFileSaved, "File saved", "A managed file was uploaded or replaced."},
		{AuditFileDeleted, "File deleted", "A managed file was deleted."},
		{AuditReportCreated, "Report made", "A report was made."},
		{AuditReportSaved, "Report saved", "A report was saved; what one person saves within two minutes is one event."},
		{AuditReportDeleted, "Report deleted", "A report was deleted."},
		{AuditReportRestored, "Report restored", "A deleted report was brought back."},
		{AuditReportMoved, "Report moved", "A report was moved to another workspace."},
		{AuditReportShared, "Access to a report changed", "Who may see, edit or run a report was changed."},
		{AuditVersionNamed, "Version named", "A version of a report got a name, or lost it."},
		{AuditCommentMade, "Comment made", "Somebody said something about a report; never what."},
		{AuditCommentChanged, "Comment changed", "Somebody changed what they had said about a report."},
		{AuditCommentResolved, "Comments resolved", "A thread of comments on a report was closed."},
		{AuditCommentReopened, "Comments reopened", "A thread of comments on a report was opened again."},
		{AuditCommentDeleted, "Comment deleted", "A comment on a report was deleted."},
		{AuditCommentRestored, "Comment restored", "A deleted comment on a report was brought back."},
		{AuditLibraryCreated, "Library entry made", "A template, theme, job or other entry of the library was made."},
		{AuditLibrarySaved, "Library entry saved", "An entry of the library was saved; what one person saves within two minutes is one event."},
		{AuditLibraryOrdered, "Library ordered", "Entries of the library were put into another order."},
		{AuditLibraryDeleted, "Library entry deleted", "An entry of the library was deleted."},
		{AuditLibraryRestored, "Library entry restored", "A deleted entry of the library was brought back."},
		{AuditDataUploaded, "Data uploaded", "Temporary data were uploaded."},
		{AuditExportMade, "Report exported", "A file of a report was made and sent at once."},
		{AuditExportStarted, "Export started", "A file of a report was asked for without waiting for it."},
		{AuditExportCancelled, "Export cancelled", "An export was cancelled, or its file removed."},
		{AuditExportDownloaded, "Export downloaded", "The file of an export was fetched."},
		{AuditRunStarted, "Run started", "A run of a job was started, by somebody or by its schedule."},
		{AuditRunCancelled, "Run cancelled", "A run was cancelled."},
		{AuditRunDelivered, "Run delivered", "The entries of a run that waited in review were delivered."},
		{AuditRunDownloaded, "Document of a run read", "A document of a run was fetched."},
		{AuditEntryDecided, "Entry decided", "An entry of a run was approved, rejected or made anew."},
		{AuditDeliverySent, "Delivery sent", "A delivery has left, to the place that the detail names."},
		{AuditDeliveryFailed, "Delivery failed", "A delivery was given up, or nobody knows whether it left."},
		{AuditDeliverySettled, "Delivery settled", "A delivery was sent again, or marked as delivered, by hand."},
		{AuditKeysRotated, "Keys rotated", "What is sealed was sealed with the new key."},
		{AuditServiceStarted, "Service started", "A service or worker began; the detail has its version and the names of the settings that differ from their defaults."},
	}
}
