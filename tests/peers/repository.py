"""An OAI-PMH repository over a folder of XML records, served by the package oai-repo.

It is the peer of the whole-program tests: another author's reading of the protocol. The folder is read anew for each
request, so a test changes the repository by changing files:

    FOLDER/a.xml          record oai:peer.example:a, in no set
    FOLDER/lakes/b.xml    record oai:peer.example:b, in the set `lakes`

The datestamp of a record is its file's modification time. oai-repo has no tombstones, so deletedRecord is `no`, and
it refuses a resumption token (badResumptionToken) when the list has changed since it was given.

Usage: python repository.py --folder DIR [--port N] [--page-size N]
Prints one line of JSON, {"url": ...}, when it listens. Stops when its standard input closes.
"""
import argparse
import json
import os
import sys
import threading
from datetime import datetime, timezone
from pathlib import Path
from socketserver import ThreadingMixIn
from urllib.parse import parse_qsl
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import oai_repo
from lxml import etree

SECOND = "YYYY-MM-DDThh:mm:ssZ"
NAMESPACE = "oai:peer.example:"
GMD = "http://www.isotc211.org/2005/gmd"
OAI_DC = "http://www.openarchives.org/OAI/2.0/oai_dc/"
DC = "http://purl.org/dc/elements/1.1/"
FORMATS = [
    oai_repo.MetadataFormat("iso19139", "http://www.isotc211.org/2005/gmd/gmd.xsd", GMD),
    oai_repo.MetadataFormat("oai_dc", "http://www.openarchives.org/OAI/2.0/oai_dc.xsd", OAI_DC),
]
PARSER = etree.XMLParser(resolve_entities=False, no_network=True)


class FolderInterface(oai_repo.DataInterface):
    """What oai-repo asks for, answered from files."""

    def __init__(self, folder: Path, base_url: str, page_size: int):
        self.folder = folder
        self.base_url = base_url
        self.limit = page_size

    def files(self) -> dict[str, Path]:
        """Identifier to file, sorted by identifier."""
        found = list(self.folder.glob("*.xml")) + list(self.folder.glob("*/*.xml"))
        return {NAMESPACE + path.stem: path for path in sorted(found, key=lambda path: path.stem)}

    def get_identify(self):
        identify = oai_repo.Identify()
        identify.repository_name = "Peer repository"
        identify.base_url = self.base_url
        identify.admin_email = ["peer@example.org"]
        identify.deleted_record = "no"
        identify.granularity = SECOND
        identify.earliest_datestamp = "2000-01-01T00:00:00Z"
        return identify

    def is_valid_identifier(self, identifier):
        return identifier in self.files()

    def get_metadata_formats(self, identifier=None):
        return FORMATS

    def get_record_header(self, identifier):
        path = self.files()[identifier]
        return oai_repo.RecordHeader(identifier, modified(path), self.sets_of(path), None)

    def get_record_metadata(self, identifier, metadataprefix):
        path = self.files()[identifier]
        root = etree.parse(str(path), PARSER).getroot()
        return root if metadataprefix == "iso19139" else dublin_core(identifier, root)

    def get_record_abouts(self, identifier):
        return []

    def list_set_specs(self, identifier=None, cursor=0):
        if identifier is not None:
            return self.sets_of(self.files()[identifier]), None, None
        specs = sorted({spec for path in self.files().values() for spec in self.sets_of(path)})
        return specs or None, len(specs), None

    def get_set(self, setspec):
        return oai_repo.Set(setspec, setspec, [])

    def list_identifiers(self, metadataprefix, filter_from=None, filter_until=None, filter_set=None, cursor=0):
        chosen = [
            (identifier, modified(path))
            for identifier, path in self.files().items()
            if (filter_set is None or filter_set in self.sets_of(path))
            and (filter_from is None or modified(path) >= filter_from)
            and (filter_until is None or modified(path) <= filter_until)
        ]
        page = [identifier for identifier, _ in chosen[cursor : cursor + self.limit]]
        return page, len(chosen), [(identifier, str(when)) for identifier, when in chosen]

    def sets_of(self, path: Path) -> list[str]:
        return [] if path.parent == self.folder else [path.parent.name]


def modified(path: Path) -> datetime:
    return datetime.fromtimestamp(int(os.stat(path).st_mtime), timezone.utc)


def dublin_core(identifier: str, root):
    """The least an oai_dc record says: title and identifier."""
    title = root.xpath("string(//*[local-name()='CI_Citation']/*[local-name()='title'])")
    record = etree.Element(f"{{{OAI_DC}}}dc", nsmap={"oai_dc": OAI_DC, "dc": DC})
    etree.SubElement(record, f"{{{DC}}}title").text = " ".join(title.split())
    etree.SubElement(record, f"{{{DC}}}identifier").text = identifier
    return record


def application(data: FolderInterface):
    repository = oai_repo.OAIRepository(data)

    def answer(environ, start_response):
        query = environ.get("QUERY_STRING", "")
        if environ["REQUEST_METHOD"] == "POST":
            query = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)).decode("ascii")
        body = bytes(repository.process(dict(parse_qsl(query, keep_blank_values=True))))
        headers = [("Content-Type", "text/xml; charset=utf-8"), ("Content-Length", str(len(body)))]
        start_response("200 OK", headers)
        return [body]

    return answer


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class QuietHandler(WSGIRequestHandler):
    def log_message(self, *_):
        pass


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--folder", type=Path, required=True)
    arguments.add_argument("--port", type=int, default=0)
    arguments.add_argument("--page-size", type=int, default=5)
    options = arguments.parse_args()
    server = make_server("127.0.0.1", options.port, None, Server, QuietHandler)
    url = f"http://127.0.0.1:{server.server_port}/oai"
    server.set_app(application(FolderInterface(options.folder.resolve(), url, options.page_size)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"url": url}), flush=True)
    sys.stdin.read()  # The test closes it, or dies, and this process ends with it.


if __name__ == "__main__":
    main()
