/** The apps that use deeb as this user, each by a personal access token. */
export default function ConnectedApps() {
  return (
    <main className="column flex-1 pb-5">
      <p className="pt-8 text-body text-soft">No app is connected.</p>
    </main>
  )
}
