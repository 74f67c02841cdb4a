/** A list of benefits: a short title on the left, a text on the right. */
export function Benefits({ items }: { items: readonly { title: () => string; text: () => string }[] }) {
  return (
    <div className="benefits">
      {items.map(({ title, text }) => (
        <div key={title()} className="benefit">
          <h3 className="heading-benefit">{title()}</h3>
          <p className="text-beside">{text()}</p>
        </div>
      ))}
    </div>
  )
}
