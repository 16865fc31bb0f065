export { skimKeyName } from './skim-key-name.js'
export { skimTimes } from './skim-times.js'
