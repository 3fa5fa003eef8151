"""Reads files with another program, for a comparison with Parley. Prints one line of JSON per file.

Usage: python3 anchors.py PROGRAM < paths
"""

import json
import re
import sys
import warnings
from datetime import datetime, timedelta, timezone

warnings.filterwarnings("ignore")


def with_trafilatura(path):
    import trafilatura

    with open(path, "rb") as file:
        return trafilatura.extract(file.read(), include_comments=False, include_tables=True) or ""


def with_markitdown(path):
    from markitdown import MarkItDown

    # MarkItDown reads spreadsheets with pandas, which writes these words for empty cells and headers.
    return re.sub(r"\bNaN\b|\bUnnamed: \d+\b", "", MarkItDown().convert(path).text_content)


def with_pypdf(path):
    from pypdf import PdfReader

    return "\n".join(page.extract_text() for page in PdfReader(path).pages)


def with_recurring_ical_events(path):
    """Returns the range that was read, and the busy spans in it, in milliseconds since 1970."""
    import recurring_ical_events
    from icalendar import Calendar

    with open(path, "rb") as file:
        calendars = Calendar.from_ical(file.read(), multiple=True)
    starts = [to_ms(event["DTSTART"].dt) for calendar in calendars for event in calendar.walk("VEVENT") if "DTSTART" in event]
    if not starts:
        return None
    begin = datetime.fromtimestamp(min(starts) / 1000, timezone.utc) - timedelta(days=40)
    end = min(datetime.fromtimestamp(max(starts) / 1000, timezone.utc) + timedelta(days=800), begin + timedelta(days=4000))
    spans = []
    for calendar in calendars:
        for event in recurring_ical_events.of(calendar).between(begin, end):
            if str(event.get("TRANSP", "")).upper() == "TRANSPARENT" or str(event.get("STATUS", "")).upper() == "CANCELLED":
                continue
            start = event["DTSTART"].dt
            spans.append([to_ms(start), to_ms(event["DTEND"].dt if "DTEND" in event else start)])
    return {"from": int(begin.timestamp() * 1000), "to": int(end.timestamp() * 1000), "spans": spans}


def to_ms(time):
    if not isinstance(time, datetime):
        time = datetime(time.year, time.month, time.day)
    return int((time if time.tzinfo else time.replace(tzinfo=timezone.utc)).timestamp() * 1000)


READERS = {
    "trafilatura": with_trafilatura,
    "markitdown": with_markitdown,
    "pypdf": with_pypdf,
    "recurring_ical_events": with_recurring_ical_events,
}

if __name__ == "__main__":
    read = READERS[sys.argv[1]]
    for line in sys.stdin:
        path = line.rstrip("\n")
        try:
            print(json.dumps({"path": path, "result": read(path)}), flush=True)
        except Exception as error:
            print(json.dumps({"path": path, "error": repr(error)[:200]}), flush=True)
