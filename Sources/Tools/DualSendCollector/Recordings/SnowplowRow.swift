import DualSendCommandLine
import DualSendCore

/// Snowplow's enriched events: lines without a header, with fields separated by tabs, in the order of
/// https://docs.snowplow.io/docs/pipeline/enriched-tsv-format.
///
/// The data of a self-describing event is the payload. Other events have the fields that belong to their type. Entities
/// (`contexts`) and what the pipeline adds, such as the place or the browser, are not read.
enum SnowplowRow {
  static let fields = """
    app_id platform etl_tstamp collector_tstamp dvce_created_tstamp event event_id txn_id name_tracker v_tracker
    v_collector v_etl user_id user_ipaddress user_fingerprint domain_userid domain_sessionidx network_userid geo_country
    geo_region geo_city geo_zipcode geo_latitude geo_longitude geo_region_name ip_isp ip_organization ip_domain ip_netspeed
    page_url page_title page_referrer page_urlscheme page_urlhost page_urlport page_urlpath page_urlquery page_urlfragment
    refr_urlscheme refr_urlhost refr_urlport refr_urlpath refr_urlquery refr_urlfragment refr_medium refr_source refr_term
    mkt_medium mkt_source mkt_term mkt_content mkt_campaign contexts se_category se_action se_label se_property se_value
    unstruct_event tr_orderid tr_affiliation tr_total tr_tax tr_shipping tr_city tr_state tr_country ti_orderid ti_sku
    ti_name ti_category ti_price ti_quantity pp_xoffset_min pp_xoffset_max pp_yoffset_min pp_yoffset_max useragent br_name
    br_family br_version br_type br_renderengine br_lang br_features_pdf br_features_flash br_features_java
    br_features_director br_features_quicktime br_features_realplayer br_features_windowsmedia br_features_gears
    br_features_silverlight br_cookies br_colordepth br_viewwidth br_viewheight os_name os_family os_manufacturer
    os_timezone dvce_type dvce_ismobile dvce_screenwidth dvce_screenheight doc_charset doc_width doc_height tr_currency
    tr_total_base tr_tax_base tr_shipping_base ti_currency ti_price_base base_currency geo_timezone mkt_clickid mkt_network
    etl_tags dvce_sent_tstamp refr_domain_userid refr_dvce_tstamp derived_contexts domain_sessionid derived_tstamp
    event_vendor event_name event_format event_version event_fingerprint true_tstamp
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  private static let places = Dictionary(uniqueKeysWithValues: fields.enumerated().map { ($1, $0) })
  private static let tab = UInt8(ascii: "\t")

  /// The fields of each type of event that has no data of its own, by the field `event`.
  private static let ownFields: [String: (prefixes: [String], others: [String])] = [
    "struct": (["se_"], []),
    "page_view": ([], ["page_url", "page_title", "page_referrer"]),
    "page_ping": (["pp_"], ["page_url", "page_title", "page_referrer"]),
    "transaction": (["tr_"], []),
    "transaction_item": (["ti_"], []),
  ]
  /// Fields that are numbers.
  private static let numbers: Set<String> = [
    "se_value", "tr_total", "tr_tax", "tr_shipping", "tr_total_base", "tr_tax_base", "tr_shipping_base", "ti_price",
    "ti_price_base", "ti_quantity", "pp_xoffset_min", "pp_xoffset_max", "pp_yoffset_min", "pp_yoffset_max",
  ]

  /// Whether a line has the number of fields, and an id in its place.
  static func isRow(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard line.count(where: { $0 == tab }) == fields.count - 1 else { return false }
    return row(line)["event_id"].flatMap { EventID($0) } != nil
  }

  static func event(in line: UnsafeBufferPointer<UInt8>) -> Result<RecordedEvent, RecordedFault> {
    let count = line.count { $0 == tab } + 1
    guard count == fields.count else {
      return .failure(RecordedFault("it has \(count) fields, not \(fields.count)"))
    }
    let row = row(line)
    guard let type = row["event"] else { return .failure(RecordedFault("the field `event` is empty")) }
    var event = RecordedEvent(name: row["event_name"] ?? type, payload: [:])
    if type == "unstruct" {
      guard let data = row["unstruct_event"].flatMap(data) else {
        return .failure(RecordedFault("the field `unstruct_event` holds no self-describing event"))
      }
      event.payload = data
    } else if let own = ownFields[type] {
      for (field, text) in row where own.others.contains(field) || own.prefixes.contains(where: field.hasPrefix) {
        event.payload[field] = numbers.contains(field) ? number(text) : .string(text)
      }
    } else {
      return .failure(RecordedFault("the type of event `\(type.printable(limit: 40))` is not known"))
    }
    event.id = row["event_id"]
    event.time = (row["derived_tstamp"] ?? row["collector_tstamp"]).flatMap { Timestamp.milliseconds(text: $0 + "Z") }
    event.unit = row["domain_userid"] ?? row["network_userid"] ?? row["user_id"]
    return .success(event)
  }

  /// The fields that are not empty.
  private static func row(_ line: UnsafeBufferPointer<UInt8>) -> [String: String] {
    var row: [String: String] = [:]
    for (index, field) in line.split(separator: tab, omittingEmptySubsequences: false).enumerated()
    where !field.isEmpty && index < fields.count {
      row[fields[index]] = String(decoding: field, as: UTF8.self)
    }
    return row
  }

  /// The data in `{"schema": …, "data": {"schema": …, "data": {…}}}`.
  private static func data(_ text: String) -> [String: EventValue]? {
    guard case .object(let outer)? = try? JSONReader().value(text.utf8), case .object(let inner)? = outer["data"],
      case .object(let data)? = inner["data"]
    else { return nil }
    return data
  }

  private static func number(_ text: String) -> EventValue {
    if let whole = Int64(text) { return .int(whole) }
    return Double(text).map { .double($0) } ?? .string(text)
  }
}
