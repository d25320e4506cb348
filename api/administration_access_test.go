package api

// administrationRights are the rows of rights for the screens that administer
// accounts and workspaces.
var administrationRights = map[string][9]int{
	"GET /password":                                                             {200, 200, 200, 200, 200, 200, 200, 200, 303},
	"POST /password":                                                            {422, 422, 422, 422, 422, 422, 422, 422, 303}, // nothing entered
	"GET /users":                                                                {200, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /users":                                                               {422, 403, 403, 403, 403, 403, 403, 403, 303}, // no address
	"GET /users/{userId}":                                                       {404, 403, 403, 403, 403, 403, 403, 403, 303}, // there is none
	"POST /users/{userId}/password":                                             {404, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /users/{userId}/sign-out":                                             {404, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /users/{userId}/activate":                                             {404, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /users/{userId}/deactivate":                                           {404, 403, 403, 403, 403, 403, 403, 403, 303},
	"GET /workspaces/new":                                                       {200, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /workspaces":                                                          {422, 403, 403, 403, 403, 403, 403, 403, 303}, // no name
	"GET /ws/{workspaceId}/settings":                                            {200, 200, 403, 403, 403, 403, 404, 404, 303},
	"POST /ws/{workspaceId}/settings":                                           {422, 422, 403, 403, 403, 403, 404, 404, 303}, // no name
	"POST /ws/{workspaceId}/delete":                                             {422, 403, 403, 403, 403, 403, 403, 403, 303}, // not confirmed
	"GET /ws/{workspaceId}/members":                                             {200, 200, 200, 403, 403, 403, 404, 404, 303},
	"POST /ws/{workspaceId}/members":                                            {422, 422, 403, 403, 403, 403, 404, 404, 303}, // no address
	"POST /ws/{workspaceId}/invitations/{invitation}/again":                     {404, 404, 403, 403, 403, 403, 404, 404, 303}, // there is none; see testInvitations
	"POST /ws/{workspaceId}/invitations/{invitation}/withdraw":                  {404, 404, 403, 403, 403, 403, 404, 404, 303},
	"GET /sign-in/code":                                                         {303, 303, 303, 303, 303, 303, 303, 303, 303}, // no password shown
	"POST /sign-in/passkey/options":                                             {200, 200, 200, 200, 200, 200, 200, 200, 200},
	"POST /sign-in/passkey":                                                     {422, 422, 422, 422, 422, 422, 422, 422, 422}, // nothing was asked
	"POST /sign-in/code/passkey/options":                                        {400, 400, 400, 400, 400, 400, 400, 400, 400}, // no password shown
	"POST /sign-in/code/passkey":                                                {303, 303, 303, 303, 303, 303, 303, 303, 303},
	"POST /sign-in/second-factor/passkey/options":                               {400, 400, 400, 400, 400, 400, 400, 400, 400},
	"POST /sign-in/second-factor/passkey":                                       {303, 303, 303, 303, 303, 303, 303, 303, 303},
	"POST /second-factor/passkey/options":                                       {400, 403, 403, 403, 403, 403, 403, 403, 401}, // only root has a password
	"POST /second-factor/passkey":                                               {422, 422, 422, 422, 422, 422, 422, 422, 303},
	"POST /second-factor/passkey/{passkey}/remove":                              {422, 422, 422, 422, 422, 422, 422, 422, 303},
	"POST /sign-in/code":                                                        {303, 303, 303, 303, 303, 303, 303, 303, 303},
	"GET /sign-in/second-factor":                                                {303, 303, 303, 303, 303, 303, 303, 303, 303},
	"POST /sign-in/second-factor":                                               {303, 303, 303, 303, 303, 303, 303, 303, 303},
	"GET /second-factor":                                                        {200, 200, 200, 200, 200, 200, 200, 200, 303},
	"POST /second-factor":                                                       {422, 422, 422, 422, 422, 422, 422, 422, 303}, // no password
	"POST /second-factor/codes":                                                 {422, 422, 422, 422, 422, 422, 422, 422, 303}, // no code
	"POST /second-factor/off":                                                   {422, 422, 422, 422, 422, 422, 422, 422, 303},
	"POST /users/{userId}/second-factor/off":                                    {404, 403, 403, 403, 403, 403, 403, 403, 303}, // there is none
	"GET /forgotten":                                                            {200, 200, 200, 200, 200, 200, 200, 200, 200},
	"POST /forgotten":                                                           {422, 422, 422, 422, 422, 422, 422, 422, 422}, // no mail server
	"GET /set-password":                                                         {404, 404, 404, 404, 404, 404, 404, 404, 404}, // no token
	"POST /set-password":                                                        {404, 404, 404, 404, 404, 404, 404, 404, 404},
	"POST /users/{userId}/devices/{session}/end":                                {404, 403, 403, 403, 403, 403, 403, 403, 303}, // there is none
	"POST /users/{userId}/link":                                                 {404, 403, 403, 403, 403, 403, 403, 403, 303}, // there is none
	"GET /invitation":                                                           {404, 404, 404, 404, 404, 404, 404, 404, 404}, // no token
	"POST /invitation":                                                          {404, 404, 404, 404, 404, 404, 404, 404, 404},
	"GET /invitation/join":                                                      {404, 404, 404, 404, 404, 404, 404, 404, 303}, // no token
	"POST /invitation/join":                                                     {404, 404, 404, 404, 404, 404, 404, 404, 303},
	"POST /ws/{workspaceId}/members/{userId}/role":                              {422, 422, 403, 403, 403, 403, 404, 404, 303}, // no role
	"POST /ws/{workspaceId}/members/{userId}/remove":                            {404, 404, 403, 403, 403, 403, 404, 404, 303}, // no member
	"GET /ws/{workspaceId}/roles":                                               {200, 200, 200, 403, 403, 403, 404, 404, 303},
	"GET /ws/{workspaceId}/roles/new":                                           {200, 200, 403, 403, 403, 403, 404, 404, 303},
	"POST /ws/{workspaceId}/roles":                                              {422, 422, 403, 403, 403, 403, 404, 404, 303}, // no name
	"GET /ws/{workspaceId}/roles/{roleId}":                                      {404, 404, 404, 403, 403, 403, 404, 404, 303}, // there is none
	"POST /ws/{workspaceId}/roles/{roleId}":                                     {404, 404, 403, 403, 403, 403, 404, 404, 303}, // there is none
	"POST /ws/{workspaceId}/roles/{roleId}/delete":                              {404, 404, 403, 403, 403, 403, 404, 404, 303}, // there is none
	"GET /ws/{workspaceId}/reports/{report}/access":                             {200, 200, 403, 403, 403, 404, 404, 404, 303},
	"POST /ws/{workspaceId}/reports/{report}/access":                            {422, 422, 403, 403, 403, 404, 404, 404, 303}, // nothing chosen
	"GET /api/ui/ws/{workspaceId}/reports/{report}/access":                      {200, 200, 403, 403, 403, 404, 404, 404, 401},
	"PUT /api/ui/ws/{workspaceId}/reports/{report}/access":                      {400, 400, 403, 403, 403, 404, 404, 404, 401}, // no body
	"GET /ws/{workspaceId}/reports/{report}/share":                              {200, 200, 200, 200, 200, 404, 404, 404, 303},
	"GET /ws/{workspaceId}/reports/{report}/comments":                           {200, 200, 200, 200, 200, 404, 404, 404, 303},
	"GET /api/ui/ws/{workspaceId}/reports/{report}/share":                       {200, 200, 200, 200, 200, 404, 404, 404, 401},
	"GET /ws/{workspaceId}/bundle":                                              {200, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /workspaces/import":                                                   {422, 403, 403, 403, 403, 403, 403, 403, 303}, // no bundle
	"POST /ws/{workspaceId}/reports/{report}/duplicate":                         {404, 404, 404, 403, 403, 403, 404, 404, 303}, // there is none; see testReportMenu
	"POST /ws/{workspaceId}/reports/{report}/subreport":                         {404, 404, 404, 404, 404, 404, 404, 404, 303}, // there is none
	"POST /ws/{workspaceId}/reports/{report}/standalone":                        {404, 404, 404, 404, 404, 404, 404, 404, 303}, // there is none
	"GET /ws/{workspaceId}/reports/{report}/move":                               {200, 200, 403, 403, 403, 404, 404, 404, 303}, // only Full
	"POST /ws/{workspaceId}/reports/{report}/move":                              {404, 404, 404, 404, 404, 404, 404, 404, 303}, // there is none
	"GET /ws/{workspaceId}/templates/{resource}/transfer":                       {404, 404, 404, 403, 403, 403, 404, 404, 303}, // there is none
	"POST /ws/{workspaceId}/templates/{resource}/transfer":                      {404, 404, 404, 403, 403, 403, 404, 404, 303}, // there is none
	"POST /ws/{workspaceId}/reports/{report}/delete":                            {404, 404, 404, 404, 404, 404, 404, 404, 303}, // there is none
	"POST /ws/{workspaceId}/reports/{report}/restore":                           {404, 404, 404, 404, 404, 404, 404, 404, 303}, // there is none
	"GET /ws/{workspaceId}/files":                                               {200, 200, 200, 200, 200, 403, 404, 404, 303}, // Read
	"POST /ws/{workspaceId}/files":                                              {422, 422, 422, 403, 403, 403, 404, 404, 303}, // no file
	"GET /ws/{workspaceId}/files/content/{name}":                                {404, 404, 404, 404, 404, 403, 404, 404, 303}, // there is none
	"POST /ws/{workspaceId}/files/delete":                                       {404, 404, 404, 403, 403, 403, 404, 404, 303}, // there is none
	"GET /ws/{workspaceId}/connections":                                         {200, 200, 200, 403, 403, 403, 404, 404, 303}, // Read
	"GET /ws/{workspaceId}/connections/new":                                     {404, 404, 404, 403, 403, 403, 404, 404, 303}, // no type
	"POST /ws/{workspaceId}/connections":                                        {422, 422, 422, 403, 403, 403, 404, 404, 303}, // no name
	"GET /ws/{workspaceId}/connections/edit":                                    {404, 404, 404, 403, 403, 403, 404, 404, 303}, // there is none
	"POST /ws/{workspaceId}/connections/edit":                                   {404, 404, 404, 403, 403, 403, 404, 404, 303}, // there is none
	"POST /ws/{workspaceId}/connections/delete":                                 {404, 404, 404, 403, 403, 403, 404, 404, 303}, // there is none
	"GET /ws/{workspaceId}/service-accounts":                                    {200, 200, 403, 403, 403, 403, 404, 404, 303},
	"POST /ws/{workspaceId}/service-accounts":                                   {422, 422, 403, 403, 403, 403, 404, 404, 303}, // no name
	"GET /ws/{workspaceId}/service-accounts/{account}":                          {404, 404, 403, 403, 403, 403, 404, 404, 303}, // there is none; see TestServiceAccounts
	"POST /ws/{workspaceId}/service-accounts/{account}":                         {404, 404, 403, 403, 403, 403, 404, 404, 303}, // there is none
	"POST /ws/{workspaceId}/service-accounts/{account}/block":                   {404, 404, 403, 403, 403, 403, 404, 404, 303},
	"POST /ws/{workspaceId}/service-accounts/{account}/unblock":                 {404, 404, 403, 403, 403, 403, 404, 404, 303},
	"POST /ws/{workspaceId}/service-accounts/{account}/delete":                  {404, 404, 403, 403, 403, 403, 404, 404, 303},
	"POST /ws/{workspaceId}/service-accounts/{account}/tokens":                  {400, 400, 403, 403, 403, 403, 404, 404, 303}, // nothing entered
	"POST /ws/{workspaceId}/service-accounts/{account}/tokens/{tokenId}/revoke": {404, 404, 403, 403, 403, 403, 404, 404, 303},
}
