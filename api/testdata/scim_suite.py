"""Holds a SCIM server against the checks of scim2-tester: address, token."""

import collections
import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_models import ScimProvider
from scim2_tester import Status, check_server

address, token = sys.argv[1:]
http = Client(base_url=address, headers={"Authorization": f"Bearer {token}"})
client = SyncSCIMClient(http)
results = check_server(client)
counts = collections.Counter(result.status.name for result in results)
for result in results:
    if result.status not in (Status.SUCCESS, Status.SKIPPED):
        print(result.status.name, result.title, result.resource_type, result.reason)
print(" ".join(f"{name}={counts[name]}" for name in sorted(counts)))
