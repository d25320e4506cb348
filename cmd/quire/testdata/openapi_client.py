"""Calls every operation of the OpenAPI document through a client generated from it.

Arguments: address of the service, token, document, folder of the package "quire_client".
What the client cannot read, or a status that the document lacks, ends it with an error.
"""
import enum, importlib, inspect, json, sys, time, typing

address, token, document, folder = sys.argv[1:]
sys.path.insert(0, folder)
from quire_client.client import AuthenticatedClient  # noqa: E402

client = AuthenticatedClient(base_url=address, token=token, raise_on_unexpected_status=True)
snake = lambda text: text.replace("-", "_").replace(" ", "_").lower()
operations = {
    op["operationId"]: importlib.import_module(f"quire_client.api.{snake(op['tags'][0])}.{snake(op['operationId'])}")
    for methods in json.load(open(document))["paths"].values() for op in methods.values()
}
known = {"workspace_id": "demo", "report_id_or_type_code": "invoice", "job_id_or_code": "client", "position": 1}
job = {
    "name": "Client", "code": "client", "active": True, "reviewRequired": True, "repeat": "rows",
    "dataSources": [{"name": "rows", "type": "json", "settings": {"content": [{"id": 1}, {"id": 2}]}}],
    "reports": [{"report": "letter", "format": "html", "fileName": "Letter {$record.id}"}],
    "deliveries": [{"type": "local", "settings": {"path": "client/{$run.number}"}}, {"type": "local", "per": "run", "pack": "zip", "settings": {"path": "client"}}],
}
called = {}


def call(operation, **given):
    """Calls an operation with what is given, and what is known of its required parameters."""
    function = operations[operation].sync_detailed
    hints = typing.get_type_hints(function)
    values = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name == "client":
            values[name] = client
        elif name == "body":
            kinds = [k for k in (typing.get_args(hints[name]) or (hints[name],)) if hasattr(k, "from_dict")]
            values[name] = kinds[0].from_dict(given.get("body", {}))
        elif name in given:
            enums = [k for k in typing.get_args(hints[name]) if isinstance(k, type) and issubclass(k, enum.Enum)]
            values[name] = enums[0](given[name]) if enums else given[name]
        elif parameter.default is inspect.Parameter.empty:
            values[name] = known[name] if name in known else ("x" if hints[name] is str else 1)
    answer = function(**values)
    if answer.parsed is None and answer.content and int(answer.status_code) != 204:
        raise SystemExit(f"{operation}: the client reads nothing of {int(answer.status_code)} {answer.content[:300]}")
    called[operation] = int(answer.status_code)
    return answer


def must(operation, *statuses, **given):
    answer = call(operation, **given)
    if called[operation] not in statuses:
        raise SystemExit(f"{operation}: {called[operation]}, not {statuses}: {answer.content[:500]}")
    return answer.parsed


def until(operation, done):
    for _ in range(600):
        got = must(operation, 200)
        if done(got):
            return got
        time.sleep(0.1)
    raise SystemExit(f"{operation}: it does not end: {got}")


for lists in ("list-workspaces", "list-reports", "list-report-pages", "list-report-types", "list-templates", "list-themes", "list-jobs"):
    if not must(lists, 200):
        raise SystemExit(f"{lists} is empty")
if [source.name for source in must("list-report-data-sources", 200)] != ["invoice", "items"]:
    raise SystemExit("the invoice has other data sources")
must("get-report", 200)
must("list-report-parameters", 200)
must("create-nonce", 200)
must("upload-temporary-data", 200, body={"content": {"invoice": {"number": "A-1"}}})
must("export-report", 200, format_="html")
must("export-report-with-body", 200, body={"format": "html", "data": {"invoice": {"number": "A-1"}, "nope": 1}})
known["temp_file_id"] = must("start-export", 202, body={"format": "html", "params": {"nope": 1}}).temporary_file_id
status = until("get-export-status", lambda s: s.status != "InProgress")
if not status.is_ready or status.expiry_time.tzinfo is None or not status.warnings:
    raise SystemExit(f"the export ended as {status}")
must("get-export-content", 200)
must("create-job", 201, body=job)
must("put-job", 200, body=job)
must("put-job", 201, body=job | {"code": "second"}, job_id_or_code="second")
must("get-job", 200)
must("get-schedule", 200)
must("put-schedule", 200, body={"kind": "cron", "cron": "0 9 * * 7"})
must("get-schedule", 200)
must("list-jobs", 200)
must("delete-schedule", 204)
known["job_run_id"] = must("start-run", 200, body={"data": {"rows": [{"id": 7}]}}).job_run_id
must("list-runs", 200)
if until("get-run-status", lambda s: s.finished).status.review != 1:
    raise SystemExit("the run has no entry in review")
must("list-run-entries", 200)
must("generate-review-document", 202)
must("deliver-run", 200)
until("get-run-status", lambda s: s.finished and s.status.completed == 1)
must("list-run-entries", 200)
must("list-run-deliveries", 200)
must("list-runs", 200)
must("cancel-run", 200)
last = ("delete-export", "delete-job")
for operation in operations:  # those that are new are called, too
    if operation not in called and operation not in last:
        call(operation)
for operation in last:
    must(operation, 204)
print(f"operations of the document: {len(operations)}; called: {len(called)}; answered with success: {sum(s < 300 for s in called.values())}")
print("refused: " + ", ".join(f"{o} {s}" for o, s in called.items() if s >= 300))
if len(called) != len(operations):
    raise SystemExit(f"not called: {set(operations) - set(called)}")
