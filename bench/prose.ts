// Bodies to measure with: text that reads like English, and text that nothing compresses. Both are
// the same for the same seed, so that units can be compared between runs.
import { createRandom, type Random } from '../local/dynamodb/random.ts';

/** Commonest first: Zipf's law picks among them. */
const words = `the of to and a in is that it for on with as was be by this at not are from or have
an they which one you were all her she there would their we him been has when who will no more if
out so up said what its about than into them can only other time new some could these two may first
then do any like my now over such our man me even most made after also did many off before must well
back through years much where your way down should because long each just state people too how
little good world make very year still see own work men day get here old between both life being
under three never know same last another while us might great go come since against right came take
used himself few house use place during high without again home around small however found part
school thought went say once general upon war every left always message room branch build commit
test review deploy change error value key table index cache queue client server token header session
agent owner member history release version schema field request answer reason failure retry limit
budget draft plan note task issue result folder module function worker thread process number line
page letter morning evening window river mountain garden kitchen engine bridge paper question
problem example company market system program study group country government interest power order
business service water music night story child father brother friend teacher doctor office street
city village station harbour island forest weather winter summer colour picture voice mind heart
head hand face body door floor wall chair book glass stone iron silver copper cotton bread butter
coffee sugar dinner think speak write read hear follow carry bring break choose draw drive fall fly
forget give grow hide hold keep lead learn lose mean meet open pass pay play reach remain remember
send serve show sing sit sleep spend stand start stay stop tell throw travel try turn understand
wait walk want watch wear win wonder worry wrap yield early late quick slow bright dark heavy light
narrow broad shallow deep quiet loud gentle rough simple complex certain doubtful proper useful
ancient modern foreign local public private common rare natural perfect possible ready recent
regular several similar single sudden usual various whole young measure balance shelter harvest
journey merchant captain soldier scholar painter farmer barrel basket blanket candle carriage
chimney corner cottage courage danger desert distance district dozen empire evidence expense figure
fortune freight gesture grammar habit hammer hunger judge justice kettle ladder language lantern
leather lesson library machine manner margin meadow medicine mercy mirror mixture moment motion
mystery notion object opinion orchard origin parcel partner pattern pepper pleasure pocket portion
practice presence pressure price prison profit promise purpose quarrel rabbit record region remedy
report reward ribbon rubber saddle sample scatter season secret shadow signal silence sketch sorrow
spirit square stable strange stream string struggle subject supply surface symbol talent target
temper theatre thunder ticket timber tongue treasure triumph tunnel twilight umbrella valley vessel
victory violence virtue visitor volume wander warning wealth welcome whisper wisdom witness`.split(
  /\s+/,
);
/** The commonest words stay as they are; the others are bent now and then. */
const unbent = 150;
const endings = ['s', 's', 'ed', 'ing', 'er', 'ly', 'ness', 'ful', 'less', 'ment'];
const syllables =
  'al bar cor da el far gar hal is jo kel lor mar nel or pel quin ros sel tor'.split(' ');

/** English-like prose of exactly so many bytes, all of it ASCII. */
export function prose(bytes: number, seed = 1): string {
  const random = createRandom(seed);
  let text = '';
  while (text.length < bytes) text += sentence(random) + (random() < 0.15 ? '\n\n' : ' ');
  return text.slice(0, bytes);
}

function sentence(random: Random): string {
  const length = 6 + Math.floor(random() * 20);
  const said = Array.from({ length }, (_, at) => {
    const isPause = at < length - 1 && random() < 0.1;
    return word(random) + (isPause ? ',' : '');
  }).join(' ');
  return said.charAt(0).toUpperCase() + said.slice(1) + (random() < 0.1 ? '?' : '.');
}

function word(random: Random): string {
  const kind = random();
  if (kind < 0.02) return String(Math.floor(random() ** 3 * 5_000));
  if (kind < 0.05) return name(random);
  const rank = Math.floor(words.length ** random()) - 1;
  const stem = words[rank] ?? '';
  const isBent = rank >= unbent && random() < 0.4;
  return isBent ? stem + choose(endings, random) : stem;
}

function name(random: Random): string {
  const text = choose(syllables, random) + choose(syllables, random) + choose(syllables, random);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Ranges of assigned code points by the bytes each takes in UTF-8. */
const ranges = [
  { bytes: 1, from: 0x20, to: 0x7e },
  { bytes: 2, from: 0xc0, to: 0x24f },
  { bytes: 3, from: 0x4e00, to: 0x9fff },
  { bytes: 4, from: 0x1f300, to: 0x1f5ff },
] as const;

/** Random characters of all kinds, exactly so many bytes of UTF-8: the least compressible text. */
export function noise(bytes: number, seed = 1): string {
  const random = createRandom(seed);
  let text = '';
  for (let left = bytes; left > 0; ) {
    const range = choose(
      ranges.filter((one) => one.bytes <= left),
      random,
    );
    text += String.fromCodePoint(range.from + Math.floor(random() * (range.to - range.from)));
    left -= range.bytes;
  }
  return text;
}

function choose<T>(all: readonly T[], random: Random): T {
  const chosen = all[Math.floor(random() * all.length)];
  if (chosen === undefined) throw new RangeError('nothing to choose from');
  return chosen;
}
