// Prints the new name of a command and fails: node scripts/renamed.js OLD NEW
const [was, is] = process.argv.slice(2)
console.error(`\`npm run ${was}\` is now \`npm run ${is}\`.`)
process.exit(1)
