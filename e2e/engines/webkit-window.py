#!/usr/bin/python3
"""A bare WebKitGTK window, which WebKitWebDriver starts.

MiniBrowser of the same package cannot be narrower than 447 px because of its toolbar, and keeps no storage under automation.
"""
import argparse
import gi

gi.require_version('Gtk', '3.0')
gi.require_version('WebKit2', '4.1')
from gi.repository import GLib, Gtk, WebKit2

# WebDriver has no events of the console, so the page collects its errors in `errorsSeen`.
COLLECT_ERRORS = '''window.errorsSeen = [];
addEventListener('error', (event) => errorsSeen.push(event.message || `${event.target?.src ?? event.target?.href} failed`), true);
addEventListener('unhandledrejection', (event) => errorsSeen.push(`rejection: ${event.reason}`));
addEventListener('securitypolicyviolation', (event) => errorsSeen.push(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
console.error = (...texts) => errorsSeen.push(texts.join(' '));'''

parser = argparse.ArgumentParser()
parser.add_argument('--width', type=int, required=True)
parser.add_argument('--height', type=int, required=True)
parser.add_argument('--profile', required=True, help='the folder of its storage')
options, _ = parser.parse_known_args()

storage = WebKit2.WebsiteDataManager(base_data_directory=f'{options.profile}/data', base_cache_directory=f'{options.profile}/cache')
context = WebKit2.WebContext(website_data_manager=storage)
context.set_automation_allowed(True)
context.set_preferred_languages(['en-GB'])


def create_view(_session):
    content = WebKit2.UserContentManager()
    top, start = WebKit2.UserContentInjectedFrames.TOP_FRAME, WebKit2.UserScriptInjectionTime.START
    content.add_script(WebKit2.UserScript.new(COLLECT_ERRORS, top, start, None, None))
    view = WebKit2.WebView(web_context=context, user_content_manager=content, is_controlled_by_automation=True)
    window = Gtk.Window(decorated=False)
    window.set_default_size(options.width, options.height)
    window.add(view)
    window.show_all()
    view.grab_focus()
    # Without a window manager nothing focuses the window, and without focus nothing matches :focus-visible.
    GLib.timeout_add(50, lambda: window.get_window().focus(0))
    view.connect('close', lambda *_: window.destroy())
    return view


def start_session(_context, session):
    info = WebKit2.ApplicationInfo.new()
    info.set_name('webkit-window')
    session.set_application_info(info)
    session.connect('create-web-view', create_view)


context.connect('automation-started', start_session)
Gtk.main()
