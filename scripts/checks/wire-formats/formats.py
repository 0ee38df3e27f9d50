"""The formats: the client, the path of the events, the vendor's refusals, and the accepted differences."""

import dataclasses
import datetime
import typing

import clients


@dataclasses.dataclass(frozen=True)
class Meant:
    """A field that may differ. `kind` is `client` or `ours` for one that only this side has, `instant` for two spellings of one
    moment, `any` for two values."""

    path: str
    kind: str
    reason: str


@dataclasses.dataclass(frozen=True)
class Format:
    name: str  # of `dualsend … --wire-format`
    path: str
    ids: typing.Callable  # the ids of the events in a body
    success: typing.Callable  # the answer to a request of so many events
    refusal: typing.Callable  # the answer to a request whose events at these places are bad
    wrong_key: tuple
    client: typing.Callable | None = None
    meant: tuple = ()
    # A throttled request waits too long for a check.
    waits_long: bool = False
    takes_null: bool = True
    takes_empty_names: bool = True


LIBRARY = "names the library that sends"
SENT = "the moment of sending"
CODING = "a long body is compressed; the client does so only if told to"

BATCH = (
    Meant("sentAt", "any", SENT),
    Meant("batch[].timestamp", "instant", "the zone is written +00:00 by the client, Z by us"),
    Meant("batch[].context.library.name", "client", LIBRARY),
    Meant("batch[].context.library.version", "client", LIBRARY),
    Meant("batch[].userId", "client", "null where there is none"),
    Meant("batch[].anonymousId", "client", "null where there is none"),
)

SEGMENT = Format(
    name="segment",
    path="/v1/batch",
    ids=lambda body: [event["messageId"] for event in body["batch"]],
    success=lambda count: (200, {}, {"success": True}),
    refusal=lambda places: (400, {}, {"code": "invalid_request", "message": f"batch[{places[0]}] is invalid"}),
    wrong_key=(401, {}, {"code": "unauthorized", "message": "the write key is not known"}),
    client=clients.segment,
    meant=(
        Meant("header content-encoding", "ours", CODING),
        Meant("writeKey", "client", "stands in the authorization, which both send"),
        Meant("batch[].integrations", "client", "empty: chooses no destination, as its absence does"),
        *BATCH,
    ),
)

RUDDERSTACK = dataclasses.replace(
    SEGMENT,
    success=lambda count: (200, {}, "OK"),
    client=clients.rudderstack,
    meant=(
        Meant("batch[].integrations.All", "client", "true: chooses every destination, as its absence does"),
        Meant("batch[].channel", "client", "`server`: whether it is a server that sends"),
        *BATCH,
    ),
)

AMPLITUDE = Format(
    name="amplitude",
    path="/2/httpapi",
    ids=lambda body: [event["insert_id"] for event in body["events"]],
    success=lambda count: (200, {}, {"code": 200, "events_ingested": count, "payload_size_bytes": 1, "server_upload_time": 1}),
    refusal=lambda places: (
        400,
        {},
        {"code": 400, "error": "Invalid events", "missing_field": None, "events_with_invalid_fields": {"time": places}},
    ),
    wrong_key=(400, {}, {"code": 400, "error": "Invalid API key: write-key"}),
    client=clients.amplitude,
    meant=(
        Meant("header content-encoding", "ours", CODING),
        Meant("events[].library", "client", LIBRARY),
    ),
    waits_long=True,
    takes_null=False,
)

POSTHOG = Format(
    name="posthog",
    path="/batch/",
    ids=lambda body: [event["uuid"] for event in body["batch"]],
    success=lambda count: (200, {}, {"status": "Ok"}),
    refusal=lambda places: (
        400,
        {},
        {"type": "validation_error", "code": "invalid_payload", "detail": f"batch[{places[0]}]", "attr": None},
    ),
    wrong_key=(401, {}, {"type": "authentication_error", "code": "invalid_api_key", "detail": "", "attr": None}),
    client=clients.posthog,
    meant=(
        Meant("header content-encoding", "ours", CODING),
        Meant("historical_migration", "client", "false, as its absence says"),
        Meant("sent_at", "any", SENT),
        Meant("batch[].timestamp", "instant", "the zone is written +00:00 by the client, Z by us"),
        Meant("batch[].properties.$lib", "client", LIBRARY),
        Meant("batch[].properties.$lib_version", "client", LIBRARY),
        Meant("batch[].properties.$is_server", "client", "an app is none"),
        Meant("batch[].properties.$geoip_disable", "client", "a server's address says nothing of its user; an app's does"),
        *(
            Meant(f"batch[].properties.${name}", "client", "describes the client's machine")
            for name in ("python_runtime", "python_version", "os", "os_version", "os_distro")
        ),
    ),
)


def log_records(body):
    return [
        record
        for resource in body["resourceLogs"]
        for scope in resource["scopeLogs"]
        for record in scope["logRecords"]
    ]


def log_record_id(record):
    return next(entry["value"]["stringValue"] for entry in record["attributes"] if entry["key"] == "log.record.uid")


OTLP = Format(
    name="otlp",
    path="/v1/logs",
    ids=lambda body: [log_record_id(record) for record in log_records(body)],
    success=lambda count: (200, {}, {}),
    refusal=lambda places: (400, {}, {"code": 3, "message": f"logRecords[{places[0]}]"}),
    wrong_key=(401, {}, {"code": 16, "message": "not authenticated"}),
    takes_empty_names=False,
)

CLOUDEVENTS = Format(
    name="cloudevents",
    path="/events",
    ids=lambda body: [event["id"] for event in body],
    success=lambda count: (204, {}, None),
    refusal=lambda places: (400, {}, {"error": f"[{places[0]}]"}),
    wrong_key=(401, {}, {"error": "not authenticated"}),
)

ALL = {
    "segment": SEGMENT,
    "rudderstack": RUDDERSTACK,
    "amplitude": AMPLITUDE,
    "posthog": POSTHOG,
    "otlp": OTLP,
    "cloudevents": CLOUDEVENTS,
}


# The results of the strict readers for a body: one dict per event, in a common form.


def read_otlp(request):
    """Reads with protobuf's own parser, which refuses a field that it does not know."""
    from google.protobuf import json_format
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

    message = json_format.Parse(request.body, ExportLogsServiceRequest(), ignore_unknown_fields=False)
    for resource in message.resource_logs:
        if attributes(resource.resource.attributes) != {"service.name": clients.KEY}:
            raise ValueError(f"the resource is {resource.resource}")
        for scope in resource.scope_logs:
            for record in scope.log_records:
                yield {
                    "name": record.event_name,
                    "time": record.time_unix_nano,
                    "observed": record.observed_time_unix_nano,
                    "attributes": attributes(record.attributes),
                }


def attributes(entries):
    values = {}
    for entry in entries:
        if entry.key in values:
            raise ValueError(f"the attribute {entry.key} stands twice")
        values[entry.key] = any_value(entry.value)
    return values


def any_value(value):
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [any_value(element) for element in value.array_value.values]
    if kind == "kvlist_value":
        return attributes(value.kvlist_value.values)
    return getattr(value, kind) if kind else None


def expected_otlp(event):
    properties = event["properties"]
    named = {"user.id": "user_id", "app.installation.id": "unit_id", "session.id": "session_id", "device.id": "device_id"}
    identity = {name: str(properties[key]) for name, key in named.items() if key in properties}
    return {
        "name": event["name"],
        "time": event["time"] * 1_000_000,
        "observed": event["time"] * 1_000_000,
        "attributes": properties | identity | {"log.record.uid": event["id"]},
    }


def read_cloudevents(request):
    """Reads with the reader of cloudevents, which checks each attribute."""
    import json

    from cloudevents.core.formats.json import JSONFormat

    for element in request.json:
        event = JSONFormat().read(None, json.dumps(element))
        yield {**event.get_attributes(), "data": event.get_data()}


def expected_cloudevents(event):
    properties = event["properties"]
    extensions = {"sessionid": "session_id", "deviceid": "device_id"}
    return {
        "specversion": "1.0",
        "id": event["id"],
        "source": clients.KEY,
        "type": event["name"],
        "time": datetime.datetime.fromtimestamp(event["time"] / 1000, datetime.timezone.utc),
        "datacontenttype": "application/json",
        "subject": properties.get("user_id", properties.get("unit_id")),
        **{name: str(properties[key]) for name, key in extensions.items() if key in properties},
        "data": properties,
    }


READERS = {"otlp": (read_otlp, expected_otlp), "cloudevents": (read_cloudevents, expected_cloudevents)}
