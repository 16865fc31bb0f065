/** The database in a data folder. */
export const DATABASE_FILE = 'portcullis.db'
