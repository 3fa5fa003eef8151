"""Types of arguments and results, for annotations: `from parley.types import BotRead`."""

from ._events import Event as Event
from ._events import WebhookEvent as WebhookEvent
from ._generated.events import *  # noqa: F403
from ._generated.models import *  # noqa: F403
from ._generated.params import *  # noqa: F403
from ._generated.webhook_events import *  # noqa: F403
