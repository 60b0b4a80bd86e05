/** The only file that may read the environment. */
export const url = process.env['DATABASE_URL']
