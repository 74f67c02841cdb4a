/** How the commands are called: by npm in a clone (scripts/admin.js), else by the command of the guides. */
export const PROGRAM = process.argv[1]?.endsWith('admin.js') ? 'npm run admin --' : 'deeb-admin'
