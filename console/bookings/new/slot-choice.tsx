import { Alert, Button } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import type { LocalDate } from '../../../core/local-time.ts';
import type { Slot } from '../../client/types.ts';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { Section } from '../../components/page/section.tsx';
import { groupByDay } from '../group-by-day.ts';
import type { DayRange } from '../day-range.ts';
import { getLocalDay, formatDay, formatHours, formatTime } from '../times.ts';
import type { FreeSlots } from './use-slots.ts';

export interface SlotChoiceProps extends FreeSlots {
  zone: string;
  /** Time zone of the attendee; null if it equals the calendar's time zone. */
  attendeeZone: string | null;
  /** Start of the selected time slot; empty while no slot is selected. */
  chosen: string;
  problem: string | undefined;
  onChoose(start: string): void;
}

export function SlotChoice({ slots, range, showEarlier, showLater, ...choice }: SlotChoiceProps) {
  const { zone, chosen } = choice;
  return (
    <Section title="When">
      <p className="hint">Times are in {zone}.</p>
      <ChoiceProblem text={choice.problem ?? describeLostSlot(slots.data, range, choice)} />
      {chosen !== '' && (
        <p>
          Chosen: <strong>{formatWhen(chosen, zone)}</strong>
        </p>
      )}
      <div className="row" role="group" aria-label="Other days">
        <Button variant="default" aria-disabled={showEarlier === undefined} onClick={() => showEarlier?.()}>
          Earlier
        </Button>
        <Button variant="default" onClick={showLater}>
          Later
        </Button>
        <span role="status">
          {formatDay(range.from)} to {formatDay(range.until)}
        </span>
      </div>
      <LoadedView loaded={slots}>
        {(free) =>
          free.length === 0 ? (
            <p className="empty">No times available</p>
          ) : (
            groupByDay(free, zone).map(([day, daySlots]) => (
              <DaySlots key={day} day={day} slots={daySlots} {...choice} />
            ))
          )
        }
      </LoadedView>
    </Section>
  );
}

/** Error about the selected time slot. The error scrolls into view, since the submit button is far below. */
function ChoiceProblem({ text }: { text: string | undefined }) {
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (text !== undefined) shown.current?.scrollIntoView({ block: 'nearest' });
  }, [text]);
  if (text === undefined) return null;
  return (
    <Alert ref={shown} color="red">
      {text}
    </Alert>
  );
}

type DaySlotsProps = Pick<SlotChoiceProps, 'zone' | 'attendeeZone' | 'chosen' | 'onChoose'> & {
  day: LocalDate;
  slots: readonly Slot[];
};

function DaySlots({ day, slots, zone, attendeeZone, chosen, onChoose }: DaySlotsProps) {
  const id = useId();
  return (
    <fieldset className="slots">
      <legend>{formatDay(day)}</legend>
      {slots.map(({ start, end }) => (
        <label key={start} className="slot" htmlFor={`${id}${start}`}>
          <input
            id={`${id}${start}`}
            type="radio"
            name="slot"
            value={start}
            checked={start === chosen}
            onChange={() => onChoose(start)}
          />
          {formatHours(start, end, zone)}
          {attendeeZone !== null && (
            <span className="hint">{formatHours(start, end, attendeeZone)} their time</span>
          )}
        </label>
      ))}
    </fieldset>
  );
}

/**
 * Explains that the selected time slot is no longer free; undefined while the slot is free or not yet loaded.
 */
function describeLostSlot(
  free: readonly Slot[] | undefined,
  range: DayRange,
  { chosen, zone }: Pick<SlotChoiceProps, 'chosen' | 'zone'>,
): string | undefined {
  if (chosen === '' || free === undefined || free.some(({ start }) => start === chosen)) return undefined;
  const day = getLocalDay(chosen, zone);
  if (day < range.from || day > range.until) return undefined;
  return 'This time is no longer free. Choose another one; your other entries are kept.';
}

function formatWhen(start: string, zone: string): string {
  return `${formatDay(getLocalDay(start, zone))}, ${formatTime(start, zone)}`;
}
