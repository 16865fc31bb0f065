import { searchForSecrets } from './search.js'

searchForSecrets('Postgres')
