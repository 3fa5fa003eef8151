import { useEffect, useId, useRef } from 'preact/hooks';
import type { LocalDate } from '../../../core/local-time.ts';
import type { Slot } from '../../client/types.ts';
import { LoadedView } from '../../ui/loaded-view.tsx';
import { Section } from '../../ui/section.tsx';
import { groupByDay } from '../group-by-day.ts';
import type { DayRange } from '../day-range.ts';
import { getLocalDay, formatDay, formatHours, formatTime } from '../times.ts';
import type { FreeSlots } from './use-slots.ts';

export interface SlotChoiceProps extends FreeSlots {
  zone: string;
  /** Time zone of the attendee; null if it equals that of the calendar. */
  theirZone: string | null;
  /** Start of the selected slot; empty while none is selected. */
  chosen: string;
  problem: string | undefined;
  onChoose(start: string): void;
}

export function SlotChoice({ slots, range, showEarlier, showLater, ...choice }: SlotChoiceProps) {
  const { zone, chosen } = choice;
  return (
    <Section title="When">
      <p class="hint">Days and times are those of {zone}.</p>
      <ChoiceProblem text={choice.problem ?? describeLostSlot(slots.data, range, choice)} />
      {chosen !== '' && (
        <p>
          Chosen: <strong>{formatWhen(chosen, zone)}</strong>
        </p>
      )}
      <div class="row" role="group" aria-label="Other days">
        <button type="button" aria-disabled={showEarlier === undefined} onClick={() => showEarlier?.()}>
          Earlier days
        </button>
        <button type="button" onClick={showLater}>
          Later days
        </button>
        <span role="status">
          {formatDay(range.from)} to {formatDay(range.until)}
        </span>
      </div>
      <LoadedView loaded={slots}>
        {(free) =>
          free.length === 0 ? (
            <p class="empty">Nothing is free on these days.</p>
          ) : (
            groupByDay(free, zone).map(([day, ofDay]) => (
              <DaySlots key={day} day={day} slots={ofDay} {...choice} />
            ))
          )
        }
      </LoadedView>
    </Section>
  );
}

/** Error of the slot selection. It scrolls into view, since the submit button is far below. */
function ChoiceProblem({ text }: { text: string | undefined }) {
  const shown = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (text !== undefined) shown.current?.scrollIntoView({ block: 'nearest' });
  }, [text]);
  if (text === undefined) return null;
  return (
    <p ref={shown} class="problem" role="alert">
      {text}
    </p>
  );
}

type DaySlotsProps = Pick<SlotChoiceProps, 'zone' | 'theirZone' | 'chosen' | 'onChoose'> & {
  day: LocalDate;
  slots: readonly Slot[];
};

function DaySlots({ day, slots, zone, theirZone, chosen, onChoose }: DaySlotsProps) {
  const id = useId();
  return (
    <fieldset class="bare slots">
      <legend>{formatDay(day)}</legend>
      {slots.map(({ start, end }) => (
        <label key={start} class="slot" for={`${id}${start}`}>
          <input
            id={`${id}${start}`}
            type="radio"
            name="slot"
            value={start}
            checked={start === chosen}
            onChange={() => onChoose(start)}
          />
          {formatHours(start, end, zone)}
          {theirZone !== null && <span class="hint">{formatHours(start, end, theirZone)} for them</span>}
        </label>
      ))}
    </fieldset>
  );
}

/** Explains that the selected slot is no longer free; undefined while it is free or not yet loaded. */
function describeLostSlot(
  free: readonly Slot[] | undefined,
  range: DayRange,
  { chosen, zone }: Pick<SlotChoiceProps, 'chosen' | 'zone'>,
): string | undefined {
  if (chosen === '' || free === undefined || free.some(({ start }) => start === chosen)) return undefined;
  const day = getLocalDay(chosen, zone);
  if (day < range.from || day > range.until) return undefined;
  return 'The time that you have chosen is not free any more. Choose another one; what you have typed is still there.';
}

function formatWhen(start: string, zone: string): string {
  return `${formatDay(getLocalDay(start, zone))}, ${formatTime(start, zone)}`;
}
