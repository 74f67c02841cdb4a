// Ends with one line that names the new command: node scripts/renamed.js OLD NEW
const [was, is] = process.argv.slice(2)
console.error(`\`npm run ${was}\` is now \`npm run ${is}\`.`)
process.exit(1)
