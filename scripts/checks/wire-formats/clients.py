"""The vendors' own clients: each sends the events and returns once they are delivered.

An event is a dict of `id`, `name`, `time` (milliseconds since 1970) and `properties`. Whom it is about stands in its properties,
as `user_id`, `unit_id`, `device_id` and `session_id`, and each client is told so in its own words.
"""

import datetime

KEY = "write-key"


def moment(event):
    return datetime.datetime.fromtimestamp(event["time"] / 1000, datetime.timezone.utc)


def segment(url, events):
    import segment.analytics

    _send_tracks(segment.analytics.Client(KEY, host=url, max_retries=0), events)


def rudderstack(url, events):
    import rudderstack.analytics

    _send_tracks(rudderstack.analytics.Client(KEY, host=url, max_retries=0), events)


def _send_tracks(client, events):
    for event in events:
        properties = event["properties"]
        context = {}
        if "device_id" in properties:
            context["device"] = {"id": properties["device_id"]}
        if "session_id" in properties:
            context["sessionId"] = properties["session_id"]
        client.track(
            user_id=properties.get("user_id"),
            anonymous_id=properties.get("unit_id"),
            event=event["name"],
            properties=properties,
            timestamp=moment(event),
            message_id=event["id"],
            context=context,
        )
    client.flush()
    client.join()


def amplitude(url, events):
    import amplitude as sdk

    configuration = sdk.Config(api_key=KEY, server_url=url + "/2/httpapi", flush_max_retries=1)
    client = sdk.Amplitude(KEY, configuration=configuration)
    for event in events:
        properties = event["properties"]
        client.track(
            sdk.BaseEvent(
                event["name"],
                user_id=properties.get("user_id"),
                device_id=properties.get("device_id", properties.get("unit_id")),
                session_id=properties.get("session_id"),
                time=event["time"],
                insert_id=event["id"],
                event_properties=properties,
            )
        )
    for sent in client.flush():
        if sent is not None:
            sent.result(timeout=20)
    client.shutdown()


def posthog(url, events):
    import posthog as sdk

    client = sdk.Posthog(KEY, host=url, max_retries=0)
    for event in events:
        properties = dict(event["properties"])
        if "session_id" in properties:
            properties["$session_id"] = properties["session_id"]
        if "device_id" in properties:
            properties["$device_id"] = properties["device_id"]
        client.capture(
            event["name"],
            distinct_id=properties.get("user_id", properties.get("unit_id")),
            properties=properties,
            timestamp=moment(event),
            uuid=event["id"],
        )
    client.flush()
    client.shutdown()
