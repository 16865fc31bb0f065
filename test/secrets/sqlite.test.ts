import { searchForSecrets } from './search.js'

searchForSecrets('SQLite')
