"""Adapts generated requests to rules that openapi.json cannot express.

Such rules relate several fields or several requests, or need tokens from earlier responses.
"""

import datetime
import itertools
import os
import re

import requests
import schemathesis

BOT = f"{os.environ['BASE_URL']}/api/public/bots/{os.environ['PUBLIC_KEY']}"
SESSIONS = f"{BOT}/sessions"
BOTS = f"{os.environ['BASE_URL']}/api/bots"
OWN_BOT = f"{BOTS}/{os.environ['BOT_ID']}"
OWN_KEY = {"Authorization": f"Bearer {os.environ['BOT_KEY']}"}

TEXT = "A day pass costs 12 euros."
OFFICE_HOURS = {
    "timezone": "Europe/Berlin",
    "periods": [{"days": ["monday", "friday"], "opens": "09:00", "closes": "17:00"}],
}

# A destination that each channel accepts. The document does not describe their formats.
DESTINATIONS = {"telegram": "123456789", "whatsapp": "+351912345678"}

# Names of fields whose text is a single line without control characters.
single_line_fields = set()
# Control characters, line separators, and characters that change the direction of text.
CONTROL = re.compile("[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

counter = itertools.count()
visitor_tokens = {}


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Adds the link from a session to its conversation, and converts event streams to OpenAPI 3.2."""
    session = raw_schema["paths"]["/api/public/bots/{public_key}/sessions"]["post"]["responses"]["201"]
    session["links"]["getConversation"] = {
        "operationId": "getConversation",
        "parameters": {"conversation_id": "$response.body#/session_id"},
    }
    find_single_lines(raw_schema)
    for path in raw_schema["paths"].values():
        for operation in path.values():
            for response in operation["responses"].values():
                for media in response.get("content", {}).values():
                    if "x-itemSchema" in media:
                        media["itemSchema"] = event_of(media["x-itemSchema"])
                        del media["schema"]


def find_single_lines(part):
    """Remembers the fields that the document marks with `x-single-line`."""
    if isinstance(part, dict):
        for name, schema in (part.get("properties") or {}).items():
            if isinstance(schema, dict) and "x-single-line" in {**schema, **schema.get("items", {})}:
                single_line_fields.add(name)
        for each in part.values():
            find_single_lines(each)
    elif isinstance(part, list):
        for each in part:
            find_single_lines(each)


def event_of(data):
    text = {"type": "string"}
    json = {"type": "string", "contentMediaType": "application/json", "contentSchema": data}
    return {"type": "object", "required": ["event", "data"], "properties": {"event": text, "data": json}}


@schemathesis.hook
def before_call(context, case, kwargs):
    is_positive = case.meta is not None and case.meta.generation.mode.is_positive
    # Does not change requests that Schemathesis repeats without credentials or with other ones.
    is_visitor = case.auth_identity == "acme" and needs_visitor(case)
    if is_visitor:
        identify_visitor(case, is_positive)
    # Also renews the key of a negative case that identify_visitor has changed: it may be valid now.
    if is_visitor or is_positive:
        renew_key(case)
    operation_id = case.operation.definition.raw["operationId"]
    if operation_id == "deleteBot":
        spare_bot(case)
    if is_positive:
        keep_rules(case, operation_id)


@schemathesis.hook
def after_call(context, case, response):
    if case.operation.path.endswith("/sessions") and response.status_code == 201:
        remember(response.json())


def needs_visitor(case):
    return {"visitorToken": []} in case.operation.definition.raw["security"]


def identify_visitor(case, is_positive):
    """Sends the token of the session. A positive case for an unknown session gets a new session."""
    session_id = case.path_parameters.get("session_id")
    if is_positive:
        activate_bot()
    if session_id not in visitor_tokens and is_positive:
        session_id = remember(requests.post(SESSIONS, json={}, timeout=60).json())
        case.path_parameters["session_id"] = session_id
    if session_id in visitor_tokens:
        case.headers["Authorization"] = f"Bearer {visitor_tokens[session_id]}"


def spare_bot(case):
    """Lets the request delete a new bot in place of the visitors' bot, which later requests need."""
    if case.path_parameters.get("bot_id") == os.environ["BOT_ID"]:
        created = requests.post(BOTS, json={"name": "Spare"}, headers=OWN_KEY, timeout=60)
        case.path_parameters["bot_id"] = created.json()["id"]


def activate_bot():
    """Activates the visitors' bot without limits, because earlier requests may have changed it."""
    update = {
        "status": "active",
        "is_public": True,
        "allowed_domains": None,
        "monthly_message_cap": None,
    }
    requests.patch(OWN_BOT, json=update, headers=OWN_KEY, timeout=60).raise_for_status()


def remember(session):
    visitor_tokens[session["session_id"]] = session["visitor_token"]
    return session["session_id"]


def renew_key(case):
    """Replaces a valid Idempotency-Key by a new one, because the API refuses it for another request."""
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and re.fullmatch("[ -~]{1,255}", key):
        case.headers["Idempotency-Key"] = f"key-{next(counter)}"


def keep_rules(case, operation_id):
    # Removes the cursor: it is signed, valid only for the filters of its request, and excludes `page`.
    if "cursor" in (case.query or {}):
        del case.query["cursor"]
    # An invented version of a resource is outdated.
    if "If-Match" in (case.headers or {}):
        del case.headers["If-Match"]
    keep_time_zones(case)
    keep_offsets(case.query or {})
    if operation_id in ("listBookings", "listBookingSlots", "listWidgetSlots"):
        keep_range(case.query or {})
    if operation_id in ("getAnalyticsOverview", "listTopQuestions", "getUsage", "listDailyUsage"):
        keep_past(case.query or {}, has_times=operation_id == "getAnalyticsOverview")
    if not isinstance(case.body, dict):
        return
    keep_texts(case.body)
    if operation_id == "exportArchive":
        keep_past(case.body, has_times=True)
    if operation_id == "updateCalendarSettings":
        keep_calendar(case.body)
    if operation_id in ("createBooking", "createWidgetBooking"):
        keep_booking(case.body)
    if operation_id in ("saveAlertPolicy", "estimateAlertCost"):
        keep_policy(case.body)
    # The API accepts only URLs whose host exists and is public.
    if operation_id in ("createWebhook", "updateWebhook") and "url" in case.body:
        case.body["url"] = "https://hooks.example.com/parley"
    configuration = case.body.get("config") or case.body
    endpoint = isinstance(configuration, dict) and configuration.get("custom_endpoint_config")
    if isinstance(endpoint, dict) and "endpoint_url" in endpoint:
        endpoint["endpoint_url"] = "https://models.example.com/v1"
    # Removes domains in brackets: only IPv6 addresses are valid there.
    domains = isinstance(configuration, dict) and configuration.get("allowed_domains")
    if isinstance(domains, list):
        configuration["allowed_domains"] = [each for each in domains if not str(each).startswith("[")]
    # The API accepts only web, email and telephone links in a directory.
    directory = configuration.get("directory_config") if isinstance(configuration, dict) else None
    for holder in (directory, case.body):
        entries = holder.get("entries") if isinstance(holder, dict) else None
        for entry in entries if isinstance(entries, list) else []:
            if isinstance(entry, dict) and entry.get("link"):
                entry["link"] = "https://book.example.com/rivera"
    # The API accepts only existing time zones and members, and periods that end after they begin.
    handoff = isinstance(configuration, dict) and configuration.get("handoff_config")
    if isinstance(handoff, dict):
        handoff.pop("notify", None)
        if isinstance(handoff.get("hours"), dict):
            handoff["hours"] = OFFICE_HOURS
    settings = operation_id == "updateOrg" and case.body.get("settings")
    if isinstance(settings, dict) and settings.get("time_zone") is not None:
        settings["time_zone"] = OFFICE_HOURS["timezone"]
    # The API accepts only existing languages.
    for holder, name in ((configuration, "language"), (settings, "default_language")):
        if isinstance(holder, dict) and holder.get(name) is not None:
            holder[name] = "de"
    # Each type of source needs one of two fields, and refuses the other.
    if operation_id == "createDocument":
        is_text = case.body["source_type"] == "raw_text"
        case.body["raw_text"] = TEXT if is_text else None
        case.body["url"] = None if is_text else "https://example.com/help"
        if is_text:
            case.body.pop("refresh", None)
        # A text answers the question in its title.
        if case.body.get("is_qa"):
            case.body.update({"is_qa": is_text, "title": "What does a day pass cost?"})
        # The API accepts only existing encodings, and only for pages.
        if case.body.get("encoding") is not None:
            case.body["encoding"] = "utf-8" if case.body["source_type"] == "url" else None
    # The API accepts a refresh interval only for some types of documents.
    if operation_id == "updateDocument":
        case.body.pop("refresh", None)
    # The content of a file must match its type.
    if operation_id == "uploadDocument":
        case.body["file"] = TEXT
        case.body.pop("encoding", None)
        case.multipart_content_types = {"file": "text/plain"}
    # The API accepts an identity token only if the bot can verify it, and a secret only from the bot that issued it.
    if operation_id == "startWidgetSession":
        case.body.pop("identity_token", None)
        case.body.pop("visitor_secret", None)


def keep_texts(body):
    """Replaces texts that the API refuses: without a visible character, or single lines with control characters."""
    for field, value in body.items():
        if isinstance(value, str):
            body[field] = keep_text(field, value)
        elif isinstance(value, dict):
            keep_texts(value)
        elif isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, dict):
                    keep_texts(item)
                elif isinstance(item, str) and field in single_line_fields:
                    value[index] = keep_text(field, item)


def keep_text(field, text):
    cleaned = CONTROL.sub("-", text) if field in single_line_fields else text
    is_visible = any(each.isprintable() and not each.isspace() for each in cleaned)
    return cleaned if is_visible else "a" * len(cleaned)


def keep_time_zones(case):
    """Replaces time zones by an existing one."""
    for holder, name in ((case.query, "timezone"), (case.query, "business_timezone"), (case.body, "timezone")):
        if isinstance(holder, dict) and holder.get(name) is not None:
            holder[name] = OFFICE_HOURS["timezone"]


def keep_offsets(query):
    """Replaces the offsets of times by UTC, because generated offsets may belong to no time zone."""
    for name, value in query.items():
        time = isinstance(value, str) and re.fullmatch(r"(\d{4}-\d\d-\d\dT.+)[+-]\d\d:\d\d", value, re.IGNORECASE)
        if time:
            query[name] = f"{time[1]}Z"


def keep_range(query):
    """Sets a range from now to three days later, since a range must end after its start (now by default)."""
    now = datetime.datetime.now(datetime.timezone.utc)
    if "from" in query:
        query["from"] = now.isoformat()
    if "to" in query:
        query["to"] = (now + datetime.timedelta(days=3)).isoformat()
    keep_hours(query)
    for name in ("booking_calendar_id", "calendar_ids"):
        query.pop(name, None)


def keep_past(query, has_times):
    """Sets a range of the last three days, since reports refuse reversed ranges and distant times."""
    now = datetime.datetime.now(datetime.timezone.utc)
    for name, days in (("from", 3), ("to", 0)):
        if name in query:
            time = now - datetime.timedelta(days=days)
            query[name] = time.isoformat() if has_times else time.date().isoformat()
    if "month" in query:
        query["month"] = now.strftime("%Y-%m")


def keep_calendar(settings):
    """Removes unknown calendars, and sets opening hours into which the slots fit."""
    keep_hours(settings)
    if settings.get("booking_calendar_id") is not None:
        settings["booking_calendar_id"] = None
    if settings.get("calendar_ids") is not None:
        settings["calendar_ids"] = []
    for name in ("slot_minutes", "buffer_minutes"):
        if settings.get(name) is not None:
            settings[name] = min(settings[name], 30)


def keep_hours(settings):
    """Sets opening hours that are valid together, and together with the stored ones."""
    for name, hour in (("business_open_hour", 8), ("business_close_hour", 18)):
        if settings.get(name) is not None:
            settings[name] = hour


def keep_booking(booking):
    """Sets a free slot and an email address, both of which a booking needs."""
    activate_bot()
    slots = requests.get(f"{BOT}/slots", timeout=60)
    if slots.status_code == 200 and slots.json():
        booking["start"] = slots.json()[0]["start"]
    booking["attendee_email"] = booking.get("attendee_email") or "rui@example.com"


def keep_policy(policy):
    """Sets a destination of the channel. An intensity of digests alone also needs a digest interval."""
    policy["destination"] = DESTINATIONS[policy["channel"]]
    if policy.get("intensity") == "digest" and policy.get("digest") == "none":
        policy["digest"] = "daily"
