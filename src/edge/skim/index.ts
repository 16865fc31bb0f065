export {
  BRACE,
  CLOSING,
  COMMA,
  endOfRun,
  isBraced,
  lengthOf,
  nameOfText,
  QUOTE,
  readName,
} from './json-scan.js'
export { skimTimes } from './skim-times.js'
