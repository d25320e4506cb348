// Package store keeps what Quire remembers: users and what they may do,
// workspaces and their definitions, tokens, sessions, nonces, temporary data
// and contents. Definitions go in and come out as types of package report.
//
// SQL runs on SQLite or PostgreSQL with the same queries; contents lie in a
// local folder or in S3; nonces in SQL or Redis. The package knows nothing of
// exports, jobs or HTTP: what it refuses is a *report.Problem whose kind the
// API turns into a status.
package store
